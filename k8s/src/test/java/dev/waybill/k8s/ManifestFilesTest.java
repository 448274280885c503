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

/** Every file is part of a kustomization and valid. */
class ManifestFilesTest {

    @Test
    void everyBaseManifestIsValid() {
        assertThat(base().manifests()).hasSizeGreaterThan(30)
                .allSatisfy(manifest -> assertThat(manifest.getMetadata().getName()).isNotBlank());
    }

    @Test
    void everyFileIsPartOfAKustomization() {
        Set<Path> named = new HashSet<>();
        for (Path kustomization : ProjectFiles.files("k8s", "kustomization.yaml")) {
            named.add(kustomization);
            JsonNode tree = StrictYaml.trees(ProjectFiles.text(ProjectFiles.ROOT.relativize(kustomization).toString()))
                    .getFirst();
            Stream.of("resources", "components").forEach(list -> tree.path(list)
                    .forEach(file -> named.add(kustomization.resolveSibling(file.asText()).normalize())));
            tree.path("patches").findValuesAsText("path").stream()
                    .filter(path -> path.endsWith(".yaml"))
                    .forEach(path -> named.add(kustomization.resolveSibling(path).normalize()));
        }

        assertThat(named).allMatch(Files::exists);
        assertThat(named).containsAll(ProjectFiles.files("k8s", ".yaml").stream()
                .filter(file -> !file.toString().contains("/target/")).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = { "spec: {replica: 1}", "spec: {}, spec: {}", "spec: {template: {spec: {containers: [{imag: x}]}}}",
            "spec: {replicas: many}" })
    void invalidManifestIsRejected(String fault) {
        String manifest = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: x}, " + fault + "}";

        assertThatThrownBy(() -> StrictYaml.manifests(manifest)).isInstanceOf(RuntimeException.class);
    }

    @Test
    void overlaysDiffer() {
        Assumptions.assumeTrue(RenderedManifests.all().count() > 1,
                "skipped: kubectl is not on the path");

        assertThat(
                RenderedManifests.all()
                        .map(rendering -> rendering.one(Ingress.class, "api").getSpec().getRules().getFirst().getHost()))
                .containsExactly("api.waybill.example", "api.dev.waybill.example", "api.waybill.example",
                        "eu.api.waybill.example");
    }

    @Test
    void databaseRolesMatchServices() {
        JsonNode cluster = StrictYaml.trees(ProjectFiles.text("k8s/examples/cloudnativepg/cluster.yaml")).getFirst();
        List<String> statements = texts(cluster.at("/spec/bootstrap/initdb/postInitApplicationSQL"));

        assertThat(ServiceDefinition.apis()).allSatisfy(service -> {
            JsonNode role = role(cluster, service.databaseRole());
            assertThat(role.at("/passwordSecret/name").asText()).isEqualTo(service.module() + "-database");
            assertThat(Stream.of("superuser", "bypassrls", "createdb", "createrole")
                    .map(right -> role.path(right).asBoolean(true)))
                    .containsOnly(false);
            assertThat(statements)
                    .anyMatch(
                            statement -> statement.startsWith("CREATE ROLE " + service.databaseRole() + " LOGIN NOSUPERUSER"));
            assertThat(statements)
                    .anyMatch(statement -> statement.startsWith("GRANT CONNECT, CREATE, TEMPORARY ON DATABASE waybill")
                            && statement.contains(service.databaseRole()));
            assertThat(ProjectFiles.text("common/src/main/resources/database/roles.sql"))
                    .contains("'" + service.databaseRole() + "'");
        });
    }

    @Test
    void databaseAllowsConnectionsOfAllReplicas() {
        int allowed = Integer.parseInt(StrictYaml.trees(ProjectFiles.text("k8s/examples/cloudnativepg/cluster.yaml")).getFirst()
                .at("/spec/postgresql/parameters/max_connections").asText());
        RenderedManifests base = base();
        int needed = ServiceDefinition.apis()
                // One more replica during a rollout.
                .mapToInt(service -> (base.one(HorizontalPodAutoscaler.class,
                        service.module()).getSpec().getMaxReplicas() + 1) * service.maxConnections())
                .sum();

        assertThat(allowed).isGreaterThan(needed);
        assertThat(ProjectFiles.text("k8s/README.md")).containsPattern(Pattern.compile("\\b" + needed + "\\b"));
    }

    private static RenderedManifests base() {
        return RenderedManifests.all().findFirst().orElseThrow();
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
