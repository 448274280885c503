package dev.waybill.controlplane.engine.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.engine.ApplicationSource.Image;
import dev.waybill.controlplane.engine.Observation;
import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.engine.ResourceSpec;
import dev.waybill.controlplane.engine.kubernetes.manifest.Names;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;

/** Objects of others are never changed or deleted, and Waybill's own are restored. */
class OwnershipTest {

    @TempDir
    private Path folder;

    private ClusterGround ground;

    @BeforeEach
    void begin() throws IOException {
        ground = new ClusterGround(folder, Map.of("ingress.host", "{name}.apps.example.com"));
    }

    @AfterEach
    void end() {
        ground.close();
    }

    @Test
    void foreignDeploymentOfThatNameIsNotChanged() throws IOException {
        // Given
        Plan plan = ground.plan(1);
        Deployment foreign = create(new DeploymentBuilder().withMetadata(foreign(Names.revision(plan.revisionId())))
                .withNewSpec().withReplicas(7).endSpec().build());

        // When
        Outcome outcome = ground.prepare(plan);

        // Then
        assertRefused(outcome, foreign);
    }

    @Test
    void foreignConfigMapOfThatNameIsNotChanged() throws IOException {
        // Given
        Plan plan = ground.plan(1);
        HasMetadata foreign = create(new ConfigMapBuilder().withMetadata(foreign(Names.revision(plan.revisionId())))
                .addToData("theirs", "yes").build());

        // When
        Outcome outcome = ground.prepare(plan);

        // Then
        assertRefused(outcome, foreign);
    }

    @Test
    void foreignServiceOfThatNameIsNotTakenOver() throws IOException {
        // Given
        Plan plan = ground.plan(1);
        Service foreign = create(new ServiceBuilder().withMetadata(foreign(Names.deployment(plan.deploymentId())))
                .withNewSpec().addToSelector("app", "theirs").endSpec().build());
        ground.prepare(plan);
        ground.cluster.ready(Names.revision(plan.revisionId()), 1);

        // When
        Outcome outcome = ground.start(plan);

        // Then
        assertRefused(outcome, foreign);
    }

    @Test
    void foreignObjectsAreNotDeleted() throws IOException {
        // Given
        Plan plan = ground.deployed(1);
        String revision = Names.revision(plan.revisionId());
        ground.client().apps().deployments().inNamespace(FakeCluster.NAMESPACE).withName(revision).delete();
        ground.client().services().inNamespace(FakeCluster.NAMESPACE).withName(Names.deployment(plan.deploymentId())).delete();
        Deployment deployment = create(new DeploymentBuilder().withMetadata(foreign(revision)).build());
        Service service = create(new ServiceBuilder().withMetadata(foreign(Names.deployment(plan.deploymentId())))
                .withNewSpec().endSpec().build());
        ground.endPods(plan);

        // When
        Outcome outcome = ground.stop();

        // Then
        assertThat(outcome).isEqualTo(new Outcome.Done());
        assertThat(ground.client().resource(deployment).get()).isNotNull();
        assertThat(ground.client().resource(service).get()).isNotNull();
        assertThat(ground.objects()).isEmpty();
    }

    @Test
    void deletedObjectsAreRestoredByTheNextObservation() {
        // Given
        Plan plan = ground.plan(1, new Image("registry.example.com/acme/chat:1"),
                new ResourceSpec(2, 4, null, null, null, null));
        ground.deploy(plan);
        ground.observe(plan);
        String revision = Names.revision(plan.revisionId());
        List<String> before = ground.objects();

        // When
        delete(HorizontalPodAutoscaler.class, revision);
        delete(PodDisruptionBudget.class, revision);
        delete(Ingress.class, Names.deployment(plan.deploymentId()));

        // Then
        Patience.await().untilAsserted(() -> {
            assertThat(ground.observe(plan)).isEqualTo(new Observation.Serving());
            assertThat(ground.objects()).containsExactlyInAnyOrderElementsOf(before);
        });
    }

    @Test
    void changedAutoscalerIsRestoredByTheNextObservation() {
        // Given
        Plan plan = ground.plan(1, new Image("registry.example.com/acme/chat:1"),
                new ResourceSpec(2, 4, null, null, null, null));
        ground.deploy(plan);
        ground.observe(plan);
        var autoscaler = ground.client().resources(HorizontalPodAutoscaler.class).inNamespace(FakeCluster.NAMESPACE)
                .withName(Names.revision(plan.revisionId()));

        // When
        autoscaler.edit(present -> {
            present.getSpec().setMaxReplicas(900);
            return present;
        });

        // Then
        Patience.await().untilAsserted(() -> {
            ground.observe(plan);
            assertThat(autoscaler.get().getSpec().getMaxReplicas()).isEqualTo(4);
        });
    }

    @Test
    void lostSecretIsRestoredWhenTheApplicationFails() throws IOException {
        // Given
        Plan plan = ground.deployed(1);
        ground.observe(plan);
        String revision = Names.revision(plan.revisionId());
        ground.client().secrets().inNamespace(FakeCluster.NAMESPACE).withName(revision).delete();
        ground.cluster.ready(revision, 0);

        // When
        ground.observe(plan);
        boolean soon = ground.objects().contains("Secret " + revision);
        ground.clock.pass(Applied.REPAIR_INTERVAL);
        ground.observe(plan);

        // Then
        assertThat(soon).as("repairs are rate-limited").isFalse();
        assertThat(ground.objects()).contains("Secret " + revision);
    }

    private void assertRefused(Outcome outcome, HasMetadata foreign) {
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class,
                failed -> assertThat(failed.reason()).contains(foreign.getKind(), foreign.getMetadata().getName(), "operator"));
        assertThat(ground.client().resource(foreign).get()).isEqualTo(foreign);
    }

    private <T extends HasMetadata> void delete(Class<T> type, String name) {
        ground.client().resources(type).inNamespace(FakeCluster.NAMESPACE).withName(name).delete();
    }

    private <T extends HasMetadata> T create(T object) {
        return ground.client().resource(object).create();
    }

    private static ObjectMeta foreign(String name) {
        return new ObjectMetaBuilder().withName(name).withNamespace(FakeCluster.NAMESPACE)
                .addToLabels("app", "theirs").build();
    }
}
