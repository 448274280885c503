package dev.waybill.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;

import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.ApiClient;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.deployment.Deployments;
import dev.waybill.controlplane.engine.Engine.ApplicationChanged;
import dev.waybill.controlplane.engine.InMemoryEngine;
import dev.waybill.controlplane.engine.kubernetes.ApiServerFixture;
import dev.waybill.controlplane.engine.kubernetes.PodFixture;
import io.quarkus.test.junit.QuarkusTest;

/**
 * The lifecycle of a deployment over the API, with the Kubernetes engine on the real API server of {@code KUBECONFIG}. Skipped
 * without one.
 */
@QuarkusTest
@EnabledIfEnvironmentVariable(named = "KUBECONFIG", matches = ".+")
class ApiServerDeploymentTest {

    private final Account account = Deployments.account();
    private final String name = Deployments.newName();

    @Inject
    InMemoryEngine engines;

    @Inject
    Event<ApplicationChanged> changes;

    private ApiServerFixture cluster;

    @BeforeEach
    void begin() {
        cluster = new ApiServerFixture(changes::fire);
        engines.script(name).delegateTo(cluster.engine(), cluster::withUnschedulableSize);
    }

    @AfterEach
    void tearDown() {
        cluster.close();
    }

    @Test
    void createsChangesFailsAndDeletesADeployment() {
        // Given: a deployment that runs in the cluster
        HttpResult created = Deployments.create(account, """
                {"name": "%s", "source": "external_docker",
                 "source_config": {"resource_spec": {"min_scale": 2, "max_scale": 4}},
                 "source_revision_config": {"image_uri": "registry.example.com/acme/chat:1"}}""".formatted(name), 201);
        UUID deployment = created.id();
        UUID first = Deployments.latest(created);
        cluster.kubelet().run(first, false);
        Deployments.awaitStatus(account, deployment, first, "DEPLOYED");
        assertThat(cluster.objects(deployment)).contains("Deployment rev-" + first, "HorizontalPodAutoscaler rev-" + first,
                "PodDisruptionBudget rev-" + first, "Service app-" + deployment, "Ingress app-" + deployment);
        assertThat(cluster.routedRevision(deployment)).isEqualTo(first);

        // When: another image follows
        UUID second = changed(deployment, "registry.example.com/acme/chat:2");
        cluster.kubelet().run(second, false);
        Deployments.awaitStatus(account, deployment, second, "DEPLOYED");

        // Then
        assertThat(cluster.routedRevision(deployment)).isEqualTo(second);
        Patience.await().untilAsserted(
                () -> assertThat(cluster.objects(deployment)).noneMatch(object -> object.contains(first.toString())));

        // When: one that cannot be pulled
        UUID third = changed(deployment, "registry.example.com/acme/chat:absent");
        cluster.kubelet().setStatus(third,
                () -> PodFixture.pod().withoutPreparation().waiting("application", "InvalidImageName",
                        "couldn't parse image reference"));
        HttpResult failed = Deployments.awaitStatus(account, deployment, third, "BUILD_FAILED");

        // Then
        assertThat(failed.text("status_message")).startsWith("The image \"").contains("cannot be pulled");
        assertThat(cluster.routedRevision(deployment)).isEqualTo(second);
        assertThat(ApiClient.as(account).get(Deployments.revision(deployment, second)).text("status")).isEqualTo("DEPLOYED");

        // When: it is deleted
        assertThat(ApiClient.as(account).delete(Deployments.PATH + "/" + deployment).status()).isEqualTo(204);

        // Then
        Patience.await().untilAsserted(() -> assertThat(cluster.objects(deployment)).isEmpty());
    }

    private UUID changed(UUID deployment, String image) {
        return Deployments.latest(ApiClient.as(account).patch(Deployments.PATH + "/" + deployment,
                "{\"source_revision_config\": {\"image_uri\": \"" + image + "\"}}"));
    }
}
