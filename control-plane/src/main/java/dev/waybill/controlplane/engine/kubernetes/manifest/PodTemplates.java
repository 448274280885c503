package dev.waybill.controlplane.engine.kubernetes.manifest;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.RevisionSpec.ResourceSpec;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;

/** Builds the pod of a revision, compliant with the pod security standard "restricted". */
public final class PodTemplates {

    // Time to stop workers and to deliver pending webhooks and traces.
    private static final int MARGIN_SECONDS = 15;
    private static final int READABLE_BY_GROUP = 0440;
    private static final int EXECUTABLE = 0555;

    private final KubernetesEngineConfig config;
    private final Containers containers;

    PodTemplates(KubernetesEngineConfig config) {
        this.config = config;
        this.containers = new Containers(config);
    }

    PodTemplateSpec template(RevisionSpec plan, String image) {
        Map<String, String> labels = ObjectNames.ofRevision(plan);
        PodSpecBuilder pod = new PodSpecBuilder()
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withSecurityContext(security(plan))
                .withTerminationGracePeriodSeconds(
                        config.preStopDelay().toSeconds() + config.drainTimeout().toSeconds() + MARGIN_SECONDS)
                .withImagePullSecrets(config.pullSecrets().orElse(List.of()).stream().map(LocalObjectReference::new).toList())
                .withRuntimeClassName(config.runtimeClass().orElse(null))
                .withContainers(containers.application(plan, image))
                .withVolumes(volumes(plan))
                .withTopologySpreadConstraints(
                        spread("kubernetes.io/hostname", plan), spread("topology.kubernetes.io/zone", plan));
        if (plan.source() instanceof Commit source) {
            pod.withInitContainers(containers.fetch(plan, source, image), containers.install(plan, source, image));
        }
        return new PodTemplateSpecBuilder()
                .withNewMetadata().withLabels(labels).endMetadata()
                .withSpec(pod.build())
                .build();
    }

    private PodSecurityContext security(RevisionSpec plan) {
        PodSecurityContextBuilder security = new PodSecurityContextBuilder()
                .withRunAsNonRoot(true)
                .withNewSeccompProfile().withType("RuntimeDefault").endSeccompProfile();
        if (plan.source() instanceof Commit) {
            security.withRunAsUser(config.runAs()).withRunAsGroup(config.runAs()).withFsGroup(config.runAs());
        }
        return security.build();
    }

    private List<Volume> volumes(RevisionSpec plan) {
        List<Volume> volumes = new ArrayList<>();
        volumes.add(emptyDir(Containers.FILES));
        volumes.add(emptyDir(Containers.TEMPORARY));
        if (plan.source() instanceof Commit source) {
            volumes.add(new VolumeBuilder().withName(Containers.SCRIPTS)
                    .withNewConfigMap().withName(ObjectNames.revision(plan.revisionId())).withDefaultMode(EXECUTABLE)
                    .endConfigMap()
                    .build());
            if (source.credential() != null) {
                volumes.add(new VolumeBuilder().withName(Containers.CREDENTIAL)
                        .withNewSecret().withSecretName(ObjectNames.credential(plan.revisionId()))
                        .withDefaultMode(READABLE_BY_GROUP).endSecret()
                        .build());
            }
        }
        return volumes;
    }

    private Volume emptyDir(String name) {
        return new VolumeBuilder().withName(name)
                .withNewEmptyDir().withSizeLimit(PodResources.bytes(config.maxDisk().asLongValue())).endEmptyDir()
                .build();
    }

    private static TopologySpreadConstraint spread(String key, RevisionSpec plan) {
        return new TopologySpreadConstraintBuilder()
                .withMaxSkew(1)
                .withTopologyKey(key)
                .withWhenUnsatisfiable("ScheduleAnyway")
                .withLabelSelector(new LabelSelectorBuilder()
                        .addToMatchLabels(ObjectNames.REVISION, plan.revisionId().toString()).build())
                .build();
    }

    /** The languages of an application's graphs, which determine its runtime image. Empty for a customer's image. */
    public record RuntimeLanguages(SortedSet<String> names) {

        /** Node.js modules. */
        public static final String NODE = "node";

        /** Python modules. */
        public static final String PYTHON = "python";

        /** Programs that implement the worker protocol. */
        public static final String COMMAND = "command";

        /** Key of the image that supports all languages. */
        static final String ALL = "all";

        /** The languages of a customer's image. */
        public static final RuntimeLanguages NONE = new RuntimeLanguages(new TreeSet<>());

        /** Creates an instance from names. */
        public static RuntimeLanguages of(Collection<String> names) {
            return new RuntimeLanguages(new TreeSet<>(names));
        }

        /** Parses the format of {@link #toText}; empty for null. */
        public static Optional<RuntimeLanguages> parse(@Nullable String text) {
            return text == null ? Optional.empty()
                    : Optional.of(of(Arrays.stream(text.split(",")).filter(part -> !part.isEmpty()).toList()));
        }

        /** Returns the value for the annotation. */
        public String toText() {
            return String.join(",", names);
        }

        /** Returns the image for one language, or the image for all if there are several or that is not configured. */
        public Optional<String> image(Map<String, String> images) {
            String all = images.get(ALL);
            return names.size() == 1 ? Optional.ofNullable(images.getOrDefault(names.first(), all))
                    : Optional.ofNullable(all);
        }

        /** Returns the configuration keys that would provide an image. */
        public String imageKeys() {
            String general = "waybill.engine.kubernetes.images." + ALL;
            return names.size() == 1 ? "waybill.engine.kubernetes.images." + names.first() + " or " + general : general;
        }
    }

    /** Resource requests and limits of a pod, and the number of pods. */
    static final class PodResources {

        private static final int THOUSAND = 1_000;

        private final KubernetesEngineConfig config;

        PodResources(KubernetesEngineConfig config) {
            this.config = config;
        }

        /**
         * Returns requests and limits; a default limit is never below an explicit request, nor a default request above an
         * explicit limit.
         */
        ResourceRequirements of(ResourceSpec spec) {
            double cpu = spec.cpu() != null ? spec.cpu()
                    : Math.min(config.defaultCpu(), orElse(spec.cpuLimit(), config.defaultCpu()));
            double cpuLimit = spec.cpuLimit() != null ? spec.cpuLimit() : Math.max(config.defaultCpuLimit(), cpu);
            int memory = spec.memoryMb() != null ? spec.memoryMb()
                    : Math.min(config.defaultMemoryMb(), orElse(spec.memoryLimitMb(), config.defaultMemoryMb()));
            int memoryLimit = spec.memoryLimitMb() != null ? spec.memoryLimitMb()
                    : Math.max(config.defaultMemoryLimitMb(), memory);
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
            int thousandths = Math.max(1,
                    BigDecimal.valueOf(cores).movePointRight(3).setScale(0, RoundingMode.CEILING).intValue());
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
}
