package dev.waybill.controlplane.engine.kubernetes.manifest;

import java.math.BigDecimal;
import java.math.RoundingMode;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.ResourceSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;

/** What a pod asks for and what it may use, and how many pods there are. */
final class Sizes {

    private static final int THOUSAND = 1_000;

    private final KubernetesEngineConfig config;

    Sizes(KubernetesEngineConfig config) {
        this.config = config;
    }

    /** A default limit never lies below what was asked for, nor a default request above what is allowed. */
    ResourceRequirements of(ResourceSpec spec) {
        double cpu = spec.cpu() != null ? spec.cpu() : Math.min(config.cpu(), orElse(spec.cpuLimit(), config.cpu()));
        double cpuLimit = spec.cpuLimit() != null ? spec.cpuLimit() : Math.max(config.cpuLimit(), cpu);
        int memory = spec.memoryMb() != null ? spec.memoryMb()
                : Math.min(config.memoryMb(), orElse(spec.memoryLimitMb(), config.memoryMb()));
        int memoryLimit = spec.memoryLimitMb() != null ? spec.memoryLimitMb() : Math.max(config.memoryLimitMb(), memory);
        return new ResourceRequirementsBuilder()
                .addToRequests("cpu", cores(cpu))
                .addToRequests("memory", mebibytes(memory))
                .addToLimits("cpu", cores(Math.max(cpuLimit, cpu)))
                .addToLimits("memory", mebibytes(Math.max(memoryLimit, memory)))
                .build();
    }

    static int least(ResourceSpec spec) {
        return Math.max(1, orElse(spec.minScale(), 1));
    }

    static int most(ResourceSpec spec) {
        return Math.max(least(spec), orElse(spec.maxScale(), 1));
    }

    static boolean scales(ResourceSpec spec) {
        return most(spec) > least(spec);
    }

    static Quantity bytes(long bytes) {
        return mebibytes(Math.max(1, bytes >> 20));
    }

    // Spelled as the API server spells them, so that what it answers is what it was told.
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
