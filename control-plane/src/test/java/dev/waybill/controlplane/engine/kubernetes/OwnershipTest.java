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
import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Image;
import dev.waybill.controlplane.engine.RevisionSpec.ResourceSpec;
import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;
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

/** Objects of other owners are never changed or deleted; Waybill's objects are restored. */
class OwnershipTest {

    @TempDir
    private Path folder;

    private KubernetesEngineFixture fixture;

    @BeforeEach
    void begin() throws IOException {
        fixture = new KubernetesEngineFixture(folder, Map.of("ingress.host", "{name}.apps.example.com"));
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    @Test
    void foreignDeploymentOfThatNameIsNotChanged() throws IOException {
        // Given
        RevisionSpec plan = fixture.plan(1);
        Deployment foreign = create(new DeploymentBuilder().withMetadata(foreign(ObjectNames.revision(plan.revisionId())))
                .withNewSpec().withReplicas(7).endSpec().build());

        // When
        Outcome outcome = fixture.prepare(plan);

        // Then
        assertRejected(outcome, foreign);
    }

    @Test
    void foreignConfigMapOfThatNameIsNotChanged() throws IOException {
        // Given
        RevisionSpec plan = fixture.plan(1);
        HasMetadata foreign = create(new ConfigMapBuilder().withMetadata(foreign(ObjectNames.revision(plan.revisionId())))
                .addToData("theirs", "yes").build());

        // When
        Outcome outcome = fixture.prepare(plan);

        // Then
        assertRejected(outcome, foreign);
    }

    @Test
    void foreignServiceOfThatNameIsNotTakenOver() throws IOException {
        // Given
        RevisionSpec plan = fixture.plan(1);
        Service foreign = create(new ServiceBuilder().withMetadata(foreign(ObjectNames.deployment(plan.deploymentId())))
                .withNewSpec().addToSelector("app", "theirs").endSpec().build());
        fixture.prepare(plan);
        fixture.cluster.ready(ObjectNames.revision(plan.revisionId()), 1);

        // When
        Outcome outcome = fixture.start(plan);

        // Then
        assertRejected(outcome, foreign);
    }

    @Test
    void foreignObjectsAreNotDeleted() throws IOException {
        // Given
        RevisionSpec plan = fixture.deployed(1);
        String revision = ObjectNames.revision(plan.revisionId());
        fixture.client().apps().deployments().inNamespace(FakeCluster.NAMESPACE).withName(revision).delete();
        fixture.client().services().inNamespace(FakeCluster.NAMESPACE).withName(ObjectNames.deployment(plan.deploymentId()))
                .delete();
        Deployment deployment = create(new DeploymentBuilder().withMetadata(foreign(revision)).build());
        Service service = create(new ServiceBuilder().withMetadata(foreign(ObjectNames.deployment(plan.deploymentId())))
                .withNewSpec().endSpec().build());
        fixture.deletePods(plan);

        // When
        Outcome outcome = fixture.stop();

        // Then
        assertThat(outcome).isEqualTo(new Outcome.Done());
        assertThat(fixture.client().resource(deployment).get()).isNotNull();
        assertThat(fixture.client().resource(service).get()).isNotNull();
        assertThat(fixture.objects()).isEmpty();
    }

    @Test
    void deletedObjectsAreRestoredByTheNextObservation() {
        // Given
        RevisionSpec plan = fixture.plan(1, new Image("registry.example.com/acme/chat:1"),
                new ResourceSpec(2, 4, null, null, null, null));
        fixture.deploy(plan);
        fixture.observe(plan);
        String revision = ObjectNames.revision(plan.revisionId());
        List<String> before = fixture.objects();

        // When
        delete(HorizontalPodAutoscaler.class, revision);
        delete(PodDisruptionBudget.class, revision);
        delete(Ingress.class, ObjectNames.deployment(plan.deploymentId()));

        // Then
        Patience.await().untilAsserted(() -> {
            assertThat(fixture.observe(plan)).isEqualTo(new Observation.Serving());
            assertThat(fixture.objects()).containsExactlyInAnyOrderElementsOf(before);
        });
    }

    @Test
    void changedAutoscalerIsRestoredByTheNextObservation() {
        // Given
        RevisionSpec plan = fixture.plan(1, new Image("registry.example.com/acme/chat:1"),
                new ResourceSpec(2, 4, null, null, null, null));
        fixture.deploy(plan);
        fixture.observe(plan);
        var autoscaler = fixture.client().resources(HorizontalPodAutoscaler.class).inNamespace(FakeCluster.NAMESPACE)
                .withName(ObjectNames.revision(plan.revisionId()));

        // When
        autoscaler.edit(present -> {
            present.getSpec().setMaxReplicas(900);
            return present;
        });

        // Then
        Patience.await().untilAsserted(() -> {
            fixture.observe(plan);
            assertThat(autoscaler.get().getSpec().getMaxReplicas()).isEqualTo(4);
        });
    }

    @Test
    void lostSecretIsRestoredWhenTheApplicationFails() throws IOException {
        // Given
        RevisionSpec plan = fixture.deployed(1);
        fixture.observe(plan);
        String revision = ObjectNames.revision(plan.revisionId());
        fixture.client().secrets().inNamespace(FakeCluster.NAMESPACE).withName(revision).delete();
        fixture.cluster.ready(revision, 0);

        // When
        fixture.observe(plan);
        boolean soon = fixture.objects().contains("Secret " + revision);
        fixture.clock.advance(AppliedRevisions.REPAIR_INTERVAL);
        fixture.observe(plan);

        // Then
        assertThat(soon).as("repairs are rate-limited").isFalse();
        assertThat(fixture.objects()).contains("Secret " + revision);
    }

    private void assertRejected(Outcome outcome, HasMetadata foreign) {
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class,
                failed -> assertThat(failed.reason()).contains(foreign.getKind(), foreign.getMetadata().getName(), "operator"));
        assertThat(fixture.client().resource(foreign).get()).isEqualTo(foreign);
    }

    private <T extends HasMetadata> void delete(Class<T> type, String name) {
        fixture.client().resources(type).inNamespace(FakeCluster.NAMESPACE).withName(name).delete();
    }

    private <T extends HasMetadata> T create(T object) {
        return fixture.client().resource(object).create();
    }

    private static ObjectMeta foreign(String name) {
        return new ObjectMetaBuilder().withName(name).withNamespace(FakeCluster.NAMESPACE)
                .addToLabels("app", "theirs").build();
    }
}
