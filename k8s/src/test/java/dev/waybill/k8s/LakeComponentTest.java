package dev.waybill.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

/** The component {@code lake} names the same bucket to both services and gives the reader a volume for its cache. */
class LakeComponentTest {

    private static final JsonNode COMPONENT = StrictYaml.trees(ProjectFiles.text("k8s/components/lake/kustomization.yaml"))
            .getFirst();

    @Test
    void servicesShareOneBucketByExistingKeys() {
        Map<String, Map<String, String>> configuration = new TreeMap<>();
        COMPONENT.path("configMapGenerator").forEach(generator -> {
            Map<String, String> values = new TreeMap<>();
            generator.path("literals").forEach(literal -> values.put(literal.asText().split("=", 2)[0],
                    literal.asText().split("=", 2)[1]));
            configuration.put(generator.path("name").asText(), values);
        });

        assertThat(configuration).containsOnlyKeys("experiment-service", "export-service");
        assertThat(configuration.values()).extracting(values -> values.get("WAYBILL_LAKE_BUCKET")).doesNotContainNull()
                .containsOnly("waybill-lake");
        configuration.forEach((module, values) -> {
            ServiceDefinition service = ServiceDefinition.deployed().filter(one -> one.module().equals(module)).findFirst()
                    .orElseThrow();
            assertThat(values.keySet()).allMatch(name -> EnvironmentKeys.of(service).has(name));
        });
    }

    @Test
    void cacheHasAVolumeInItsDirectory() {
        List<JsonNode> operations = operations("experiment-service");

        assertThat(operations).extracting(operation -> operation.path("path").asText())
                .contains("/spec/template/spec/containers/0/volumeMounts/-", "/spec/template/spec/volumes/-");
        assertThat(operations).filteredOn(operation -> operation.path("value").has("mountPath")).singleElement()
                .satisfies(mount -> assertThat(mount.at("/value/mountPath").asText()).isEqualTo("/lake"));
        assertThat(COMPONENT.toString()).contains("WAYBILL_LAKE_CACHE_DIRECTORY=/lake");
    }

    @Test
    void compactionsHaveHeapBesideTwoRuns() {
        assertThat(operations("export-service")).filteredOn(operation -> operation.path("path").asText().endsWith("/args"))
                .singleElement().satisfies(arguments -> assertThat(arguments.at("/value/0").asText()).isEqualTo("-Xmx288m"));
        String dockerfile = ProjectFiles.text("containers/export-service.Dockerfile");
        assertThat(dockerfile).contains("CMD [\"-Xmx192m\", \"-jar\", \"quarkus-run.jar\"]");
    }

    /** A list is read as several documents. */
    private static List<JsonNode> operations(String deployment) {
        for (JsonNode patch : COMPONENT.path("patches")) {
            if (patch.at("/target/name").asText().equals(deployment)) {
                return StrictYaml.trees(patch.path("patch").asText());
            }
        }
        throw new AssertionError("the component does not patch " + deployment);
    }
}
