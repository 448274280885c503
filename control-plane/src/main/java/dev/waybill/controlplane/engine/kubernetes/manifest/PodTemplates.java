package dev.waybill.controlplane.engine.kubernetes.manifest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.waybill.controlplane.engine.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.Plan;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;

/** Builds the pod of a revision, compliant with the pod security standard "restricted". */
final class PodTemplates {

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

    PodTemplateSpec template(Plan plan, String image) {
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

    private PodSecurityContext security(Plan plan) {
        PodSecurityContextBuilder security = new PodSecurityContextBuilder()
                .withRunAsNonRoot(true)
                .withNewSeccompProfile().withType("RuntimeDefault").endSeccompProfile();
        if (plan.source() instanceof Commit) {
            security.withRunAsUser(config.runAs()).withRunAsGroup(config.runAs()).withFsGroup(config.runAs());
        }
        return security.build();
    }

    private List<Volume> volumes(Plan plan) {
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

    private static TopologySpreadConstraint spread(String key, Plan plan) {
        return new TopologySpreadConstraintBuilder()
                .withMaxSkew(1)
                .withTopologyKey(key)
                .withWhenUnsatisfiable("ScheduleAnyway")
                .withLabelSelector(new LabelSelectorBuilder()
                        .addToMatchLabels(ObjectNames.REVISION, plan.revisionId().toString()).build())
                .build();
    }
}
