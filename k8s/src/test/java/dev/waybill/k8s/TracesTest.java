package dev.waybill.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;

/** Where spans are to go: every service is told by a key that it reads, and may send there. */
class TracesTest {

    private static final String COMPONENT = "k8s/components/traces/";

    @Test
    void everyServiceIsToldOfTheCollectorByAKeyThatItReads() {
        JsonNode maps = StrictYaml.trees(Project.text(COMPONENT + "kustomization.yaml")).getFirst().path("configMapGenerator");

        assertThat(ServiceFacts.deployed()).allSatisfy(facts -> {
            List<String> literals = literals(maps, facts.module());
            assertThat(literals).isNotEmpty().allSatisfy(literal -> {
                assertThat(EnvironmentKeys.of(facts).has(literal.substring(0, literal.indexOf('=')))).as(literal).isTrue();
                assertThat(URI.create(literal.substring(literal.indexOf('=') + 1)).getPort()).isEqualTo(4318);
            });
            assertThat(literals).anyMatch(literal -> literal.startsWith("WAYBILL_TELEMETRY_ENDPOINT="));
        });
    }

    @Test
    void servicesAndApplicationsMaySendThere() {
        List<NetworkPolicy> policies = StrictYaml.manifests(Project.text(COMPONENT + "network-policies.yaml")).stream()
                .map(NetworkPolicy.class::cast).toList();

        assertThat(policies).extracting(policy -> policy.getMetadata().getNamespace())
                .containsExactly("waybill", "waybill-applications");
        assertThat(policies).allSatisfy(policy -> assertThat(policy.getSpec().getEgress()).singleElement()
                .satisfies(rule -> assertThat(rule.getPorts()).singleElement()
                        .satisfies(port -> assertThat(port.getPort().getIntVal()).isEqualTo(4318))));
        assertThat(policies.getFirst().getSpec().getPodSelector().getMatchExpressions().getFirst().getValues())
                .containsExactlyInAnyOrderElementsOf(ServiceFacts.deployed().map(ServiceFacts::module).toList());
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
