package dev.waybill.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;

/** The component {@code traces} configures the collector for every service and allows connections to it. */
class TracingComponentTest {

    private static final String COMPONENT = "k8s/components/traces/";

    @Test
    void everyServiceHasCollectorEndpoint() {
        JsonNode maps = StrictYaml.trees(ProjectFiles.text(COMPONENT + "kustomization.yaml")).getFirst()
                .path("configMapGenerator");

        assertThat(ServiceDefinition.deployed()).allSatisfy(service -> {
            List<String> literals = literals(maps, service.module());
            assertThat(literals).isNotEmpty().allSatisfy(literal -> {
                assertThat(EnvironmentKeys.of(service).has(literal.substring(0, literal.indexOf('=')))).as(literal).isTrue();
                assertThat(URI.create(literal.substring(literal.indexOf('=') + 1)).getPort()).isEqualTo(4318);
            });
            assertThat(literals).anyMatch(literal -> literal.startsWith("WAYBILL_TELEMETRY_ENDPOINT="));
        });
    }

    @Test
    void servicesAndApplicationsCanReachCollector() {
        List<NetworkPolicy> policies = StrictYaml.manifests(ProjectFiles.text(COMPONENT + "network-policies.yaml")).stream()
                .map(NetworkPolicy.class::cast).toList();

        assertThat(policies).extracting(policy -> policy.getMetadata().getNamespace())
                .containsExactly("waybill", "waybill-applications");
        assertThat(policies).allSatisfy(policy -> assertThat(policy.getSpec().getEgress()).singleElement()
                .satisfies(rule -> assertThat(rule.getPorts()).singleElement()
                        .satisfies(port -> assertThat(port.getPort().getIntVal()).isEqualTo(4318))));
        assertThat(policies.getFirst().getSpec().getPodSelector().getMatchExpressions().getFirst().getValues())
                .containsExactlyInAnyOrderElementsOf(ServiceDefinition.deployed().map(ServiceDefinition::module).toList());
    }

    private static List<String> literals(JsonNode maps, String service) {
        List<String> literals = new ArrayList<>();
        maps.forEach(map -> {
            if (map.path("name").asText().equals(service)) {
                map.path("literals").forEach(literal -> literals.add(literal.asText()));
            }
        });
        return literals;
    }
}
