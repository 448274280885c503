package dev.waybill.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;

/** Every file is read by something, and read strictly. */
class FilesTest {

    @Test
    void everyManifestOfTheBaseIsOfKubernetesTypes() {
        assertThat(base().manifests()).hasSizeGreaterThan(30)
                .allSatisfy(manifest -> assertThat(manifest.getMetadata().getName()).isNotBlank());
    }

    @Test
    void everyFileIsNamedByAKustomization() {
        Set<Path> named = new HashSet<>();
        for (Path kustomization : Project.files("k8s", "kustomization.yaml")) {
            named.add(kustomization);
            JsonNode tree = StrictYaml.trees(Project.text(Project.ROOT.relativize(kustomization).toString())).getFirst();
            Stream.of("resources", "components").forEach(list -> tree.path(list)
                    .forEach(file -> named.add(kustomization.resolveSibling(file.asText()).normalize())));
            tree.path("patches").findValuesAsText("path").stream()
                    .filter(path -> path.endsWith(".yaml"))
                    .forEach(path -> named.add(kustomization.resolveSibling(path).normalize()));
        }

        assertThat(named).allMatch(Files::exists);
        assertThat(named).containsAll(Project.files("k8s", ".yaml").stream()
                .filter(file -> !file.toString().contains("/target/")).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = { "spec: {replica: 1}", "spec: {}, spec: {}", "spec: {template: {spec: {containers: [{imag: x}]}}}",
            "spec: {replicas: many}" })
    void whatAnApiServerRefusesIsRefusedHere(String fault) {
        String manifest = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: x}, " + fault + "}";

        assertThatThrownBy(() -> StrictYaml.manifests(manifest)).isInstanceOf(RuntimeException.class);
    }

    @Test
    void overlaysDiffer() {
        Assumptions.assumeTrue(Rendering.all().count() > 1,
                "skipped: overlays are only made where kubectl is on the path");

        assertThat(
                Rendering.all().map(rendering -> rendering.one(Ingress.class, "api").getSpec().getRules().getFirst().getHost()))
                .containsExactly("api.waybill.example", "api.dev.waybill.example", "api.waybill.example",
                        "eu.api.waybill.example");
    }

    @Test
    void theDatabasesRolesAreThoseOfTheServices() {
        JsonNode cluster = StrictYaml.trees(Project.text("k8s/examples/cloudnativepg/cluster.yaml")).getFirst();
        List<String> made = texts(cluster.at("/spec/bootstrap/initdb/postInitApplicationSQL"));

        assertThat(ServiceFacts.deployed()).allSatisfy(facts -> {
            JsonNode role = role(cluster, facts.databaseRole());
            assertThat(role.at("/passwordSecret/name").asText()).isEqualTo(facts.module() + "-database");
            assertThat(Stream.of("superuser", "bypassrls", "createdb", "createrole")
                    .map(right -> role.path(right).asBoolean(true)))
                    .containsOnly(false);
            assertThat(made)
                    .anyMatch(statement -> statement.startsWith("CREATE ROLE " + facts.databaseRole() + " LOGIN NOSUPERUSER"));
            assertThat(made).anyMatch(statement -> statement.startsWith("GRANT CONNECT, CREATE, TEMPORARY ON DATABASE waybill")
                    && statement.contains(facts.databaseRole()));
            assertThat(Project.text("common/src/main/resources/database/roles.sql")).contains("'" + facts.databaseRole() + "'");
        });
    }

    @Test
    void theDatabaseTakesEveryReplicasConnections() {
        int most = Integer.parseInt(StrictYaml.trees(Project.text("k8s/examples/cloudnativepg/cluster.yaml")).getFirst()
                .at("/spec/postgresql/parameters/max_connections").asText());
        Rendering base = base();
        int needed = ServiceFacts.deployed()
                // One more while a rollout goes on.
                .mapToInt(facts -> (base.one(HorizontalPodAutoscaler.class,
                        facts.module()).getSpec().getMaxReplicas() + 1) * facts.mostConnections())
                .sum();

        assertThat(most).isGreaterThan(needed);
        assertThat(Project.text("k8s/README.md")).containsPattern(Pattern.compile("\\b" + needed + "\\b"));
    }

    private static Rendering base() {
        return Rendering.all().findFirst().orElseThrow();
    }

    private static JsonNode role(JsonNode cluster, String name) {
        for (JsonNode role : cluster.at("/spec/managed/roles")) {
            if (role.path("name").asText().equals(name)) {
                return role;
            }
        }
        throw new IllegalStateException("no role " + name);
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
