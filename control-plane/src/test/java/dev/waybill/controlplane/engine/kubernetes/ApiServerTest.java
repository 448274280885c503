package dev.waybill.controlplane.engine.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.engine.Engine;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Image;
import dev.waybill.controlplane.engine.kubernetes.manifest.Manifests;
import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;
import dev.waybill.controlplane.engine.kubernetes.manifest.PodTemplates.RuntimeLanguages;
import dev.waybill.controlplane.engine.kubernetes.manifest.RevisionSpecFixtures;
import dev.waybill.controlplane.source.Credential.DeployKey;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClientException;

/**
 * The engine's objects against the real API server of {@code KUBECONFIG} (docs/operations/kubernetes-engine.md
 * "Test against a real API server"): acceptance,
 * field ownership, fencing and removal. Skipped without one.
 */
@EnabledIfEnvironmentVariable(named = "KUBECONFIG", matches = ".+")
class ApiServerTest {

    private final ApiServerFixture fixture = new ApiServerFixture(change -> {
    });

    @AfterEach
    void tearDown() {
        fixture.close();
    }

    @Test
    void serverAcceptsAllObjectsAndReapplyChangesNothing() {
        // Given
        RevisionSpec plan = fixture.plan(1,
                new Commit("ssh://git@git.example.com/acme/chat.git", RevisionSpecFixtures.COMMIT, "langgraph.json",
                        new DeployKey("key", "ssh-ed25519 AAAA"), "npm ci", null),
                ApiServerFixture.pods(2, 3));
        Manifests manifests = new Manifests(fixture.config);
        ConfigMap root = fixture.cluster.apply(manifests.root(plan, RuntimeLanguages.of(Set.of(RuntimeLanguages.NODE))));
        List<HasMetadata> objects = new ArrayList<>(manifests.dependents(plan, root));

        // When, then
        objects.add(manifests.deployment(plan, "registry.example.com/waybill/node:1", root));
        for (HasMetadata object : objects) {
            HasMetadata made = fixture.cluster.apply(object);
            HasMetadata again = fixture.cluster.apply(object);
            assertThat(again.getMetadata().getUid()).isEqualTo(made.getMetadata().getUid());
            assertThat(version(again)).as(object.getKind()).isEqualTo(version(made));
        }
        assertThat(fixture.router.routeTo(plan)).isTrue();
        assertThat(fixture.router.routeTo(plan)).isTrue();
        assertThat(fixture.objects(fixture.deployment)).extracting(name -> name.substring(0, name.indexOf(' ')))
                .contains("Secret", "ConfigMap", "Service", "Deployment", "HorizontalPodAutoscaler", "Ingress",
                        "PodDisruptionBudget");
    }

    @Test
    void routingIsFencedAndStopRemovesAllObjects() {
        // Given
        RevisionSpec older = image(1);
        RevisionSpec newer = image(2);

        // When
        Outcome prepared = prepare(newer);
        boolean first = fixture.router.routeTo(newer);
        boolean second = fixture.router.routeTo(older);

        // Then
        assertThat(prepared).isInstanceOf(Outcome.InProgress.class);
        assertThat(first).isTrue();
        assertThat(second).isFalse();
        Patience.await().until(() -> KubernetesEngineFixture
                .await(fixture.engine().stop(older.tenantId(), fixture.deployment, Set.of(),
                        Engine.MAX_REVISION_NUMBER)) instanceof Outcome.Done);
        assertThat(fixture.objects(fixture.deployment)).isEmpty();
    }

    @Test
    void restoresManagedFieldsAndLeavesForeignFields() {
        // Given
        RevisionSpec plan = image(1);
        prepare(plan);
        String revision = ObjectNames.revision(plan.revisionId());
        fixture.router.routeTo(plan);
        fixture.admin.apps().deployments().inNamespace(fixture.namespace).withName(revision).edit(deployment -> {
            deployment.getSpec().getTemplate().getSpec().getContainers().getFirst().setImage("other/image:1");
            deployment.getSpec().getTemplate().getSpec().setTerminationGracePeriodSeconds(30L);
            deployment.getMetadata().getLabels().remove(ObjectNames.MANAGED_BY);
            deployment.getMetadata().getAnnotations().put("example.com/owner", "team");
            return deployment;
        });
        fixture.admin.services().inNamespace(fixture.namespace).withName(ObjectNames.deployment(fixture.deployment))
                .edit(service -> {
                    service.getSpec().setSelector(Map.of(ObjectNames.REVISION, "other"));
                    return service;
                });
        fixture.admin.secrets().inNamespace(fixture.namespace).withName(revision).delete();

        // When
        KubernetesEngineFixture.await(fixture.engine().observe(plan));

        // Then
        Deployment present = fixture.cluster.deployment(fixture.namespace, revision).orElseThrow();
        assertThat(present.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage())
                .isEqualTo("registry.example.com/acme/chat:1");
        assertThat(present.getSpec().getTemplate().getSpec().getTerminationGracePeriodSeconds()).isEqualTo(320);
        assertThat(present.getMetadata().getLabels()).containsEntry(ObjectNames.MANAGED_BY, ObjectNames.MANAGER);
        assertThat(present.getMetadata().getAnnotations()).containsEntry("example.com/owner", "team");
        assertThat(fixture.router.routesTo(plan)).isTrue();
        assertThat(fixture.admin.secrets().inNamespace(fixture.namespace).withName(revision).get().getData())
                .containsKey("KEY");
    }

    @Test
    void leavesTheReplicaCountToTheAutoscaler() {
        // Given
        RevisionSpec plan = fixture.plan(1, new Image("registry.example.com/acme/chat:1"), ApiServerFixture.pods(1, 5));
        prepare(plan);
        String revision = ObjectNames.revision(plan.revisionId());
        fixture.admin.apps().deployments().inNamespace(fixture.namespace).withName(revision).scale(4);

        // When
        KubernetesEngineFixture.await(fixture.engine().observe(plan));

        // Then
        assertThat(fixture.cluster.deployment(fixture.namespace, revision).orElseThrow().getSpec().getReplicas()).isEqualTo(4);
    }

    @Test
    void objectsWithoutRootAreGarbageCollected() {
        // Given
        RevisionSpec plan = fixture.plan(1, new Image("registry.example.com/acme/chat:1"), ApiServerFixture.pods(2, 3));
        prepare(plan);

        // When
        fixture.cluster.deleteRoot(fixture.namespace, ObjectNames.revision(plan.revisionId()));

        // Then
        Patience.await().untilAsserted(() -> assertThat(fixture.objects(fixture.deployment)).isEmpty());
    }

    @Test
    void recreatedRootOwnsTheExistingObjects() {
        // Given
        RevisionSpec plan = image(1);
        prepare(plan);
        fixture.router.routeTo(plan);
        String revision = ObjectNames.revision(plan.revisionId());
        fixture.admin.configMaps().inNamespace(fixture.namespace).withName(revision)
                .withPropagationPolicy(io.fabric8.kubernetes.api.model.DeletionPropagation.ORPHAN).delete();
        // The garbage collector removes the owner references first.
        Patience.await().until(() -> fixture.cluster.root(fixture.namespace, revision).isEmpty());

        // When
        KubernetesEngineFixture.await(fixture.engine().observe(plan));

        // Then
        String uid = fixture.cluster.root(fixture.namespace, revision).orElseThrow().getMetadata().getUid();
        assertThat(fixture.cluster.deployment(fixture.namespace, revision).orElseThrow().getMetadata().getOwnerReferences())
                .singleElement().satisfies(owner -> assertThat(owner.getUid()).isEqualTo(uid));
    }

    @Test
    void reportsAnExhaustedPodQuota() {
        // Given
        fixture.admin.resource(new ResourceQuotaBuilder().withNewMetadata().withName("none").withNamespace(fixture.namespace)
                .endMetadata().withNewSpec().withHard(Map.of("pods", new Quantity("0"))).endSpec().build()).create();
        awaitQuota();
        RevisionSpec plan = image(1);

        // When, then
        Patience.await().untilAsserted(() -> assertThat(prepare(plan)).isInstanceOfSatisfying(Outcome.InProgress.class,
                progress -> assertThat(progress.message()).contains("quota", "exceeded quota: none")));
    }

    @Test
    void reportsAnExhaustedObjectQuota() {
        // Given
        fixture.admin.resource(new ResourceQuotaBuilder().withNewMetadata().withName("none").withNamespace(fixture.namespace)
                .endMetadata().withNewSpec().withHard(Map.of("count/deployments.apps", new Quantity("0"))).endSpec().build())
                .create();
        awaitQuota();

        // When, then
        assertThat(prepare(image(1))).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.retryable()).isTrue();
            assertThat(failed.reason()).contains("is exhausted", "exceeded quota: none");
        });
    }

    @Test
    void deletedIngressAndAutoscalerAreRestored() {
        // Given
        RevisionSpec plan = fixture.plan(1, new Image("registry.example.com/acme/chat:1"), ApiServerFixture.pods(2, 5));
        prepare(plan);
        fixture.router.routeTo(plan);
        KubernetesEngineFixture.await(fixture.engine().observe(plan));
        fixture.admin.network().v1().ingresses().inNamespace(fixture.namespace)
                .withName(ObjectNames.deployment(fixture.deployment)).delete();
        fixture.admin.autoscaling().v2().horizontalPodAutoscalers().inNamespace(fixture.namespace)
                .withName(ObjectNames.revision(plan.revisionId())).delete();

        // When, then: the observation that the watch's event triggers
        Patience.await().untilAsserted(() -> {
            KubernetesEngineFixture.await(fixture.engine().observe(plan));
            assertThat(fixture.objects(fixture.deployment)).extracting(name -> name.substring(0, name.indexOf(' ')))
                    .contains("Ingress", "HorizontalPodAutoscaler");
        });
    }

    @Test
    void serviceAccountHasNoOtherPermissions() {
        assertThatThrownBy(() -> fixture.client.secrets().inNamespace(fixture.namespace).list())
                .isInstanceOfSatisfying(KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403));
        assertThatThrownBy(() -> fixture.client.pods().inNamespace("kube-system").list())
                .isInstanceOfSatisfying(KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403));
        assertThatThrownBy(() -> fixture.client.namespaces().withName(fixture.namespace).get())
                .isInstanceOfSatisfying(KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403));
    }

    /** Waits until the quota's controller has counted the objects; the quota applies from then on. */
    private void awaitQuota() {
        Patience.await().until(() -> !fixture.admin.resourceQuotas().inNamespace(fixture.namespace).withName("none").get()
                .getStatus().getHard().isEmpty());
    }

    /** Returns the version of the object's specification; the resource version also changes with the status. */
    private static String version(HasMetadata object) {
        return object instanceof Secret ? object.getMetadata().getResourceVersion()
                : String.valueOf(object.getMetadata().getGeneration());
    }

    private Outcome prepare(RevisionSpec plan) {
        return KubernetesEngineFixture.await(fixture.engine().prepare(plan, (phase, stream, text) -> {
        }));
    }

    private RevisionSpec image(long number) {
        return fixture.plan(number, new Image("registry.example.com/acme/chat:" + number), ApiServerFixture.pods(1, 1));
    }
}
