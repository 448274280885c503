package dev.waybill.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;

/** The component {@code threads} names the database to applications and allows connections to it. */
class ThreadsComponentTest {

    private static final String COMPONENT = "k8s/components/threads/";

    @Test
    void controlPlaneGivesApplicationsTheDatabase() {
        String literal = StrictYaml.trees(ProjectFiles.text(COMPONENT + "kustomization.yaml")).getFirst()
                .at("/configMapGenerator/0/literals/0").asText();
        String name = literal.substring(0, literal.indexOf('='));
        URI address = URI.create(literal.substring(literal.indexOf('=') + 1));
        ServiceDefinition controlPlane = ServiceDefinition.deployed()
                .filter(service -> service.module().equals("control-plane")).findFirst().orElseThrow();

        assertThat(name).isEqualTo("WAYBILL_ENGINE_KUBERNETES_SETTINGS__WAYBILL_RUNTIME_THREADS_DATABASE_URL_");
        assertThat(EnvironmentKeys.of(controlPlane).has(name)).isTrue();
        assertThat(address.getHost()).endsWith(".waybill");
        assertThat(address.getPort()).isEqualTo(5432);
        // Credentials are those of each deployment.
        assertThat(address.getUserInfo()).isNull();
    }

    @Test
    void applicationsReachTheDatabaseOnly() {
        List<NetworkPolicy> policies = StrictYaml.manifests(ProjectFiles.text(COMPONENT + "network-policies.yaml")).stream()
                .map(NetworkPolicy.class::cast).toList();
        NetworkPolicy applications = policies.getFirst();
        NetworkPolicy database = policies.getLast();

        assertThat(policies).hasSize(2).extracting(policy -> policy.getMetadata().getNamespace())
                .containsExactly("waybill-applications", "waybill");
        assertThat(applications.getSpec().getEgress()).singleElement().satisfies(rule -> {
            assertThat(rule.getPorts()).singleElement()
                    .satisfies(port -> assertThat(port.getPort().getIntVal()).isEqualTo(5432));
            assertThat(rule.getTo()).singleElement().satisfies(peer -> assertThat(peer.getPodSelector())
                    .isEqualTo(database.getSpec().getPodSelector()));
        });
        assertThat(database.getSpec().getIngress()).singleElement().satisfies(rule -> assertThat(rule.getFrom()).singleElement()
                .satisfies(peer -> assertThat(peer.getNamespaceSelector().getMatchLabels())
                        .containsValue("waybill-applications")));
    }
}
