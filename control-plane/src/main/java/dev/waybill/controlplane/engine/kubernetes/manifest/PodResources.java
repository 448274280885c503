package dev.waybill.controlplane.engine.kubernetes.manifest;

import java.math.BigDecimal;
import java.math.RoundingMode;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.ResourceSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;

/** Resource requests and limits of a pod, and the number of pods. */
final class PodResources {

    private static final int THOUSAND = 1_000;

    private final KubernetesEngineConfig config;

    PodResources(KubernetesEngineConfig config) {
        this.config = config;
    }

    /**
     * Returns requests and limits; a default limit is never below an explicit request, nor a default request above an explicit
     * limit.
     */
    ResourceRequirements of(ResourceSpec spec) {
        double cpu = spec.cpu() != null ? spec.cpu()
                : Math.min(config.defaultCpu(), orElse(spec.cpuLimit(), config.defaultCpu()));
        double cpuLimit = spec.cpuLimit() != null ? spec.cpuLimit() : Math.max(config.defaultCpuLimit(), cpu);
        int memory = spec.memoryMb() != null ? spec.memoryMb()
                : Math.min(config.defaultMemoryMb(), orElse(spec.memoryLimitMb(), config.defaultMemoryMb()));
        int memoryLimit = spec.memoryLimitMb() != null ? spec.memoryLimitMb() : Math.max(config.defaultMemoryLimitMb(), memory);
        return new ResourceRequirementsBuilder()
                .addToRequests("cpu", cores(cpu))
                .addToRequests("memory", mebibytes(memory))
                .addToLimits("cpu", cores(Math.max(cpuLimit, cpu)))
                .addToLimits("memory", mebibytes(Math.max(memoryLimit, memory)))
                .build();
    }

    static int minReplicas(ResourceSpec spec) {
        return Math.max(1, orElse(spec.minScale(), 1));
    }

    static int maxReplicas(ResourceSpec spec) {
        return Math.max(minReplicas(spec), orElse(spec.maxScale(), 1));
    }

    static boolean scales(ResourceSpec spec) {
        return maxReplicas(spec) > minReplicas(spec);
    }

    static Quantity bytes(long bytes) {
        return mebibytes(Math.max(1, bytes >> 20));
    }

    // The API server's canonical format, so that reading an object returns the applied values.
    private static Quantity cores(double cores) {
        int thousandths = Math.max(1, BigDecimal.valueOf(cores).movePointRight(3).setScale(0, RoundingMode.CEILING).intValue());
        return new Quantity(thousandths % THOUSAND == 0 ? String.valueOf(thousandths / THOUSAND) : thousandths + "m");
    }

    private static Quantity mebibytes(long mebibytes) {
        return new Quantity(mebibytes % 1024 == 0 ? mebibytes / 1024 + "Gi" : mebibytes + "Mi");
    }

    private static int orElse(@Nullable Integer value, int other) {
        return value == null ? other : value;
    }

    private static double orElse(@Nullable Double value, double other) {
        return value == null ? other : value;
    }
}
