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
import dev.waybill.controlplane.engine.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.ApplicationSource.Image;
import dev.waybill.controlplane.engine.Engine;
import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.engine.kubernetes.manifest.Fixtures;
import dev.waybill.controlplane.engine.kubernetes.manifest.Manifests;
import dev.waybill.controlplane.engine.kubernetes.manifest.Names;
import dev.waybill.controlplane.engine.kubernetes.manifest.Needs;
import dev.waybill.controlplane.source.Credential.DeployKey;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClientException;

/**
 * The engine's objects before a real API server, where {@code KUBECONFIG} names one (docs/operations.md "Trying a cluster"):
 * that it
 * takes them, who owns their fields, that the fence holds, and that everything goes. Skipped elsewhere.
 */
@EnabledIfEnvironmentVariable(named = "KUBECONFIG", matches = ".+")
class ApiServerTest {

    private final RealCluster ground = new RealCluster(change -> {
    });

    @AfterEach
    void leaveNothing() {
        ground.close();
    }

    @Test
    void theServerTakesEveryObjectAndApplyingAgainChangesNothing() {
        // Given
        Plan plan = ground.plan(1, new Commit("ssh://git@git.example.com/acme/chat.git", Fixtures.COMMIT, "langgraph.json",
                new DeployKey("key", "ssh-ed25519 AAAA"), "npm ci", null), RealCluster.pods(2, 3));
        Manifests manifests = new Manifests(ground.config);
        ConfigMap root = ground.cluster.apply(manifests.root(plan, Needs.of(Set.of(Needs.NODE))));
        List<HasMetadata> objects = new ArrayList<>(manifests.belongings(plan, root));

        // When, then
        objects.add(manifests.deployment(plan, "registry.example.com/waybill/node:1", root));
        for (HasMetadata object : objects) {
            HasMetadata made = ground.cluster.apply(object);
            HasMetadata again = ground.cluster.apply(object);
            assertThat(again.getMetadata().getUid()).isEqualTo(made.getMetadata().getUid());
            assertThat(version(again)).as(object.getKind()).isEqualTo(version(made));
        }
        assertThat(ground.address.leadTo(plan)).isTrue();
        assertThat(ground.address.leadTo(plan)).isTrue();
        assertThat(ground.objects(ground.deployment)).extracting(name -> name.substring(0, name.indexOf(' ')))
                .contains("Secret", "ConfigMap", "Service", "Deployment", "HorizontalPodAutoscaler", "Ingress",
                        "PodDisruptionBudget");
    }

    @Test
    void requestsAreFencedAndEverythingGoes() {
        // Given
        Plan older = image(1);
        Plan newer = image(2);

        // When
        Outcome prepared = prepare(newer);
        boolean first = ground.address.leadTo(newer);
        boolean second = ground.address.leadTo(older);

        // Then
        assertThat(prepared).isInstanceOf(Outcome.InProgress.class);
        assertThat(first).isTrue();
        assertThat(second).isFalse();
        Patience.await().until(() -> ClusterGround
                .await(ground.engine().stop(older.tenantId(), ground.deployment, Set.of(),
                        Engine.EVERY)) instanceof Outcome.Done);
        assertThat(ground.objects(ground.deployment)).isEmpty();
    }

    @Test
    void whatOthersChangedIsPutBackAndWhatIsTheirsStays() {
        // Given
        Plan plan = image(1);
        prepare(plan);
        String revision = Names.revision(plan.revisionId());
        ground.address.leadTo(plan);
        ground.admin.apps().deployments().inNamespace(ground.namespace).withName(revision).edit(deployment -> {
            deployment.getSpec().getTemplate().getSpec().getContainers().getFirst().setImage("somebody/elses:1");
            deployment.getSpec().getTemplate().getSpec().setTerminationGracePeriodSeconds(30L);
            deployment.getMetadata().getLabels().remove(Names.MANAGED_BY);
            deployment.getMetadata().getAnnotations().put("example.com/owner", "team");
            return deployment;
        });
        ground.admin.services().inNamespace(ground.namespace).withName(Names.deployment(ground.deployment)).edit(service -> {
            service.getSpec().setSelector(Map.of(Names.REVISION, "nobody"));
            return service;
        });
        ground.admin.secrets().inNamespace(ground.namespace).withName(revision).delete();

        // When
        ClusterGround.await(ground.engine().observe(plan));

        // Then
        Deployment present = ground.cluster.deployment(ground.namespace, revision).orElseThrow();
        assertThat(present.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage())
                .isEqualTo("registry.example.com/acme/chat:1");
        assertThat(present.getSpec().getTemplate().getSpec().getTerminationGracePeriodSeconds()).isEqualTo(320);
        assertThat(present.getMetadata().getLabels()).containsEntry(Names.MANAGED_BY, Names.MANAGER);
        assertThat(present.getMetadata().getAnnotations()).containsEntry("example.com/owner", "team");
        assertThat(ground.address.isAt(plan)).isTrue();
        assertThat(ground.admin.secrets().inNamespace(ground.namespace).withName(revision).get().getData()).containsKey("KEY");
    }

    @Test
    void howManyPodsThereAreIsTheAutoscalersToSay() {
        // Given
        Plan plan = ground.plan(1, new Image("registry.example.com/acme/chat:1"), RealCluster.pods(1, 5));
        prepare(plan);
        String revision = Names.revision(plan.revisionId());
        ground.admin.apps().deployments().inNamespace(ground.namespace).withName(revision).scale(4);

        // When
        ClusterGround.await(ground.engine().observe(plan));

        // Then
        assertThat(ground.cluster.deployment(ground.namespace, revision).orElseThrow().getSpec().getReplicas()).isEqualTo(4);
    }

    @Test
    void whatHasLostItsRootIsCollected() {
        // Given
        Plan plan = ground.plan(1, new Image("registry.example.com/acme/chat:1"), RealCluster.pods(2, 3));
        prepare(plan);

        // When
        ground.cluster.deleteRoot(ground.namespace, Names.revision(plan.revisionId()));

        // Then
        Patience.await().untilAsserted(() -> assertThat(ground.objects(ground.deployment)).isEmpty());
    }

    @Test
    void aRootThatIsMadeAnewTakesOverWhatTheOneBeforeHad() {
        // Given
        Plan plan = image(1);
        prepare(plan);
        ground.address.leadTo(plan);
        String revision = Names.revision(plan.revisionId());
        ground.admin.configMaps().inNamespace(ground.namespace).withName(revision)
                .withPropagationPolicy(io.fabric8.kubernetes.api.model.DeletionPropagation.ORPHAN).delete();
        // Others let go of it first.
        Patience.await().until(() -> ground.cluster.root(ground.namespace, revision).isEmpty());

        // When
        ClusterGround.await(ground.engine().observe(plan));

        // Then
        String uid = ground.cluster.root(ground.namespace, revision).orElseThrow().getMetadata().getUid();
        assertThat(ground.cluster.deployment(ground.namespace, revision).orElseThrow().getMetadata().getOwnerReferences())
                .singleElement().satisfies(owner -> assertThat(owner.getUid()).isEqualTo(uid));
    }

    @Test
    void aQuotaThatIsFullIsToldInWords() {
        // Given
        ground.admin.resource(new ResourceQuotaBuilder().withNewMetadata().withName("none").withNamespace(ground.namespace)
                .endMetadata().withNewSpec().withHard(Map.of("pods", new Quantity("0"))).endSpec().build()).create();
        awaitQuota();
        Plan plan = image(1);

        // When, then
        Patience.await().untilAsserted(() -> assertThat(prepare(plan)).isInstanceOfSatisfying(Outcome.InProgress.class,
                progress -> assertThat(progress.message()).contains("quota", "exceeded quota: none")));
    }

    @Test
    void aQuotaOfObjectsIsToldInWords() {
        // Given
        ground.admin.resource(new ResourceQuotaBuilder().withNewMetadata().withName("none").withNamespace(ground.namespace)
                .endMetadata().withNewSpec().withHard(Map.of("count/deployments.apps", new Quantity("0"))).endSpec().build())
                .create();
        awaitQuota();

        // When, then
        assertThat(prepare(image(1))).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.mayPass()).isTrue();
            assertThat(failed.reason()).contains("leaves no room", "exceeded quota: none");
        });
    }

    @Test
    void deletedIngressAndAutoscalerAreRestored() {
        // Given
        Plan plan = ground.plan(1, new Image("registry.example.com/acme/chat:1"), RealCluster.pods(2, 5));
        prepare(plan);
        ground.address.leadTo(plan);
        ClusterGround.await(ground.engine().observe(plan));
        ground.admin.network().v1().ingresses().inNamespace(ground.namespace)
                .withName(Names.deployment(ground.deployment)).delete();
        ground.admin.autoscaling().v2().horizontalPodAutoscalers().inNamespace(ground.namespace)
                .withName(Names.revision(plan.revisionId())).delete();

        // When, then: an observation, which the reconciler asks for when the watch reports the deletion
        Patience.await().untilAsserted(() -> {
            ClusterGround.await(ground.engine().observe(plan));
            assertThat(ground.objects(ground.deployment)).extracting(name -> name.substring(0, name.indexOf(' ')))
                    .contains("Ingress", "HorizontalPodAutoscaler");
        });
    }

    @Test
    void theServiceAccountCanDoNothingElse() {
        assertThatThrownBy(() -> ground.client.secrets().inNamespace(ground.namespace).list())
                .isInstanceOfSatisfying(KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403));
        assertThatThrownBy(() -> ground.client.pods().inNamespace("kube-system").list())
                .isInstanceOfSatisfying(KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403));
        assertThatThrownBy(() -> ground.client.namespaces().withName(ground.namespace).get())
                .isInstanceOfSatisfying(KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403));
    }

    /** It holds from when its controller has counted. */
    private void awaitQuota() {
        Patience.await().until(() -> !ground.admin.resourceQuotas().inNamespace(ground.namespace).withName("none").get()
                .getStatus().getHard().isEmpty());
    }

    /** What counts up with every change of what it is to be; others change by what controllers say of them, too. */
    private static String version(HasMetadata object) {
        return object instanceof Secret ? object.getMetadata().getResourceVersion()
                : String.valueOf(object.getMetadata().getGeneration());
    }

    private Outcome prepare(Plan plan) {
        return ClusterGround.await(ground.engine().prepare(plan, (phase, stream, text) -> {
        }));
    }

    private Plan image(long number) {
        return ground.plan(number, new Image("registry.example.com/acme/chat:" + number), RealCluster.pods(1, 1));
    }
}
