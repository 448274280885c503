package dev.waybill.controlplane.engine.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.engine.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.ApplicationSource.Image;
import dev.waybill.controlplane.engine.Engine;
import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.engine.ResourceSpec;
import dev.waybill.controlplane.engine.kubernetes.manifest.Fixtures;
import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import dev.waybill.controlplane.engine.kubernetes.manifest.Manifests;
import dev.waybill.controlplane.engine.kubernetes.manifest.Names;
import dev.waybill.controlplane.engine.kubernetes.manifest.Needs;
import dev.waybill.controlplane.source.Credential.AccessToken;
import dev.waybill.controlplane.source.Limits;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

/**
 * The same against a real API server, where {@code KUBECONFIG} names one: that it takes the manifests, that applying again
 * changes nothing, that the fence holds, and that everything goes. Only the server is asked of, so that one without nodes will
 * do. Skipped elsewhere.
 */
@EnabledIfEnvironmentVariable(named = "KUBECONFIG", matches = ".+")
class ApiServerTest {

    private final String namespace = "waybill-test-" + UUID.randomUUID().toString().substring(0, 8);
    private final UUID deployment = UUID.randomUUID();
    private final KubernetesClient client = new KubernetesClientBuilder().build();
    private final KubernetesEngineConfig config = Fixtures.config(Map.of("namespace", namespace, "ingress.host",
            "{name}.apps.example.com", "ingress.tls-secret", "certificate"));
    private final Cluster cluster = new Cluster(client);
    private final Address address = new Address(cluster, config);
    private final Telling telling = new Telling(cluster);
    private final Rollover rollover = new Rollover(cluster, address, telling,
            new Inspection(Limits.usual().repositories()), Clock.systemUTC(), config);
    private final ClusterWatch watch = new ClusterWatch(client, config, change -> {
    });
    private final KubernetesEngine engine = new KubernetesEngine(rollover, new Retirement(cluster, address, telling, config),
            watch, new Blocking());

    @BeforeEach
    void makeNamespace() {
        client.resource(new NamespaceBuilder().withNewMetadata().withName(namespace)
                .addToLabels("pod-security.kubernetes.io/enforce", "restricted").endMetadata().build()).create();
    }

    @AfterEach
    void removeNamespace() {
        watch.end();
        client.namespaces().withName(namespace).delete();
        client.close();
    }

    @Test
    void theServerTakesEveryObjectAndApplyingAgainChangesNothing() {
        // Given
        Plan plan = plan(1, new Commit("https://git.example.com/acme/chat.git", Fixtures.COMMIT, "langgraph.json",
                new AccessToken("token"), "npm ci", null));
        Manifests manifests = new Manifests(config);
        ConfigMap root = cluster.apply(manifests.root(plan, Needs.of(Set.of(Needs.NODE))));

        // When, then
        List<HasMetadata> objects = new ArrayList<>(manifests.belongings(plan, root));
        objects.add(manifests.deployment(plan, "registry.example.com/waybill/node:1", root));
        for (HasMetadata object : objects) {
            HasMetadata made = cluster.apply(object);
            assertThat(cluster.apply(object).getMetadata().getGeneration()).isEqualTo(made.getMetadata().getGeneration());
        }
        assertThat(address.leadTo(plan)).isTrue();
        assertThat(address.leadTo(plan)).isTrue();
    }

    @Test
    void requestsAreFencedAndEverythingGoes() {
        // Given
        Plan older = plan(1, new Image("registry.example.com/acme/chat:1"));
        Plan newer = plan(2, new Image("registry.example.com/acme/chat:2"));

        // When
        Outcome prepared = ClusterGround.await(engine.prepare(newer, (phase, stream, text) -> {
        }));
        boolean first = address.leadTo(newer);
        boolean second = address.leadTo(older);

        // Then
        assertThat(prepared).isInstanceOf(Outcome.InProgress.class);
        assertThat(first).isTrue();
        assertThat(second).isFalse();
        Patience.await().pollInterval(Duration.ofSeconds(1)).until(() -> ClusterGround
                .await(engine.stop(older.tenantId(), deployment, Set.of(), Engine.EVERY)) instanceof Outcome.Done);
        assertThat(client.services().inNamespace(namespace).withName(Names.deployment(deployment)).get()).isNull();
    }

    private Plan plan(long number, dev.waybill.controlplane.engine.ApplicationSource source) {
        return new Plan(Fixtures.WORKSPACE, deployment, UUID.randomUUID(), number, "chat", source, Map.of("KEY", "value"),
                new ResourceSpec(1, 3, null, null, null, null), 0, URI.create("https://chat.example.com"));
    }
}
