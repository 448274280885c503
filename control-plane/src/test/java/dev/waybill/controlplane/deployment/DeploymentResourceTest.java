package dev.waybill.controlplane.deployment;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.LogLines;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.engine.BuildLog.Phase;
import dev.waybill.controlplane.engine.BuildLog.Stream;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.InMemoryEngine;
import dev.waybill.controlplane.engine.InMemoryEngine.Script;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource;
import dev.waybill.controlplane.source.InMemorySourceClient;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;

/** Deployments over HTTP (contract.md "Deployment management"). */
@QuarkusTest
class DeploymentResourceTest {

    private static final String SECRET = "canary-secret-0815";

    private final Account account = Deployments.account();
    private final String name = Deployments.newName();

    @Inject
    InMemoryEngine engine;

    @Test
    void newDeploymentIsReturnedImmediatelyThenDeployed() {
        // When
        HttpResult created = Deployments.create(account, name);
        HttpResult revision = Deployments.awaitStatus(account, created.id(), Deployments.latest(created), "DEPLOYED");
        HttpResult read = Deployments.get(account, created.id());

        // Then
        assertThat(created.text("tenant_id")).isEqualTo(account.workspaceId().toString());
        assertThat(created.text("source")).isEqualTo("repohost");
        assertThat(revision.text("source_revision_config.repo_commit_sha")).isEqualTo(InMemorySourceClient.commit("main"));
        assertThat(revision.text("source_revision_config.langgraph_config_path")).isEqualTo("langgraph.json");
        assertThat(read.text("status")).isEqualTo("READY");
        assertThat(read.text("active_revision_id")).isEqualTo(Deployments.latest(created).toString());
        assertThat(read.text("url")).startsWith("http://localhost:").isEqualTo(read.text("source_config.custom_url"));
        ApplicationSource source = engine.plan(Deployments.latest(created)).source();
        assertThat(source).isInstanceOf(ApplicationSource.Commit.class);
    }

    @Test
    void allViolationsAreReportedWithMemberNames() {
        // When
        HttpResult response = as(account).post(Deployments.PATH, """
                {"name": "Not a label", "source": "repohost",
                 "source_config": {"repo_url": "file:///etc", "deployment_type": "huge", "custom_url": "javascript:x",
                   "resource_spec": {"min_scale": 3, "max_scale": 2, "cpu": -1}},
                 "source_revision_config": {"repo_ref": "--upload-pack=id", "langgraph_config_path": "../langgraph.json"},
                 "secrets": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}, {"name": "1B", "value": "x"},
                   {"name": "PORT", "value": "80"}]}""");

        // Then
        assertThat(response.status()).isEqualTo(422);
        assertThat(response.list("errors.loc", List.class)).containsExactlyInAnyOrder(List.of("name"),
                List.of("source_config", "repo_url"), List.of("source_config", "deployment_type"),
                List.of("source_config", "custom_url"), List.of("source_config", "resource_spec", "max_scale"),
                List.of("source_config", "resource_spec", "cpu"), List.of("source_revision_config", "repo_ref"),
                List.of("source_revision_config", "langgraph_config_path"), List.of("secrets", 1, "name"),
                List.of("secrets", 2, "name"), List.of("secrets", 3, "name"));
    }

    @Test
    void bodyWithTooManyTokensReturns400() {
        // When
        HttpResult response = as(account).post(Deployments.PATH, "{\"name\": \"" + name + "\", \"secrets\": ["
                + String.join(",", Collections.nCopies(100_000, "{}")) + "]}");

        // Then
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.detail()).contains("contains too many or too large values");
    }

    @Test
    void customUrlWithInvalidPortIsRejected() {
        // Given
        UUID id = Deployments.create(account, name).id();

        // When
        HttpResult response = as(account).patch(Deployments.PATH + "/" + id,
                "{\"source_config\": {\"custom_url\": \"https://x.example.com:70000\"}}");

        // Then
        assertThat(response.list("errors.loc", List.class)).containsExactly(List.of("source_config", "custom_url"));
    }

    @Test
    void presentMembersAreValidatedWhenOthersAreMissing() {
        // When
        HttpResult response = as(account).post(Deployments.PATH,
                """
                        {"name": "%s", "source": "repohost", "source_revision_config": {"image_uri": "x"},
                         "secrets": [{"name": "waybill_runtime_directory", "value": "/"}, {"name": "_JAVA_OPTIONS", "value": "-Xint"}]}"""
                        .formatted(name));

        // Then
        assertThat(response.status()).isEqualTo(422);
        assertThat(response.list("errors.loc", List.class)).containsExactlyInAnyOrder(List.of("source_config"),
                List.of("source_revision_config", "repo_ref"), List.of("source_revision_config", "image_uri"),
                List.of("secrets", 0, "name"), List.of("secrets", 1, "name"));
    }

    @Test
    void allListParameterViolationsAreReportedTogether() {
        // Given
        UUID id = Deployments.create(account, name).id();

        // When
        HttpResult deployments = as(account)
                .get(Deployments.PATH + "?limit=0&offset=-1&status=nonsense&name=%00&name_contains=a%00");
        HttpResult revisions = as(account).get(Deployments.PATH + "/" + id + "/revisions?limit=x&offset=x&status=DEPLOYED,x");

        // Then
        assertThat(deployments.status()).isEqualTo(422);
        assertThat(deployments.list("errors.loc", List.class)).containsExactlyInAnyOrder(List.of("limit"), List.of("offset"),
                List.of("status"), List.of("name"), List.of("name_contains"));
        assertThat(revisions.status()).isEqualTo(422);
        assertThat(revisions.list("errors.loc", List.class)).containsExactlyInAnyOrder(List.of("limit"), List.of("offset"),
                List.of("status"));
    }

    @Test
    void imageDeploymentNeedsNoRepository() {
        // When
        HttpResult created = Deployments.create(account, """
                {"name": "%s", "source": "external_docker", "source_config": {},
                 "source_revision_config": {"image_uri": "registry.example.com/acme/agent:1"}}""".formatted(name), 201);
        Deployments.awaitStatus(account, created.id(), Deployments.latest(created), "DEPLOYED");

        // Then
        assertThat(engine.plan(Deployments.latest(created)).source())
                .isEqualTo(new ApplicationSource.Image("registry.example.com/acme/agent:1"));
    }

    @Test
    void nameIsReservedUntilDeploymentIsDeleted() {
        // Given
        HttpResult first = Deployments.create(account, name);

        // When
        HttpResult second = Deployments.create(account, Deployments.body(name), 409);
        as(account).delete(Deployments.PATH + "/" + first.id());

        // Then
        assertThat(second.detail()).contains(name);
        Deployments.create(account, name);
        Deployments.create(Deployments.account(), name);
    }

    @Test
    void sameIdempotencyKeyCreatesOneDeployment() {
        // Given
        String key = UUID.randomUUID().toString();

        // When
        List<HttpResult> responses = List.of(
                as(account).header("Idempotency-Key", key).post(Deployments.PATH, Deployments.body(name)),
                as(account).header("Idempotency-Key", key).post(Deployments.PATH, Deployments.body(name)));

        // Then
        assertThat(responses).extracting(HttpResult::status).containsExactly(201, 201);
        assertThat(responses.get(0).id()).isEqualTo(responses.get(1).id());
        assertThat(as(account).get(Deployments.PATH).list("resources", Map.class)).hasSize(1);
    }

    @Test
    void listIsPagedAndFiltered() {
        // Given
        List<UUID> ids = List.of(Deployments.deployed(account, name + "-a").id(),
                Deployments.deployed(account, name + "-b").id(),
                Deployments.deployed(account, name + "-c").id());

        // When
        HttpResult page = as(account).get(Deployments.PATH + "?limit=2&offset=1");

        // Then
        assertThat(page.list("resources.id", String.class)).containsExactly(ids.get(1).toString(), ids.get(0).toString());
        assertThat(page.value("offset")).isEqualTo(3);
        assertThat(page.header("X-Pagination-Total")).isEqualTo("3");
        assertThat(names("?name_contains=" + name.toUpperCase(Locale.ROOT) + "-B")).containsExactly(name + "-b");
        assertThat(names("?name=" + name + "-c")).containsExactly(name + "-c");
        assertThat(names("?status=READY")).hasSize(3);
        assertThat(names("?status=UNUSED")).isEmpty();
        assertThat(as(account).get(Deployments.PATH + "?status=nonsense").status()).isEqualTo(422);
        assertThat(as(account).get(Deployments.PATH + "?offset=9").header("X-Pagination-Total")).isEqualTo("3");
    }

    @Test
    void onlyEffectiveChangeCreatesRevision() {
        // Given
        HttpResult deployed = Deployments.deployed(account, name);
        String path = Deployments.PATH + "/" + deployed.id();

        // When
        HttpResult same = as(account).patch(path, """
                {"source": "github", "source_config": {"repo_url": "%s", "custom_url": "%s"},
                 "source_revision_config": {"repo_ref": "main"}, "secrets": []}""".formatted(Deployments.REPOSITORY,
                deployed.text("url")));
        HttpResult named = as(account).patch(path, "{\"display_name\": \"Support\"}");
        HttpResult changed = as(account).patch(path, "{\"source_config\": {\"install_command\": \"npm ci\"}}");

        // Then
        assertThat(same.text("latest_revision_id")).isEqualTo(deployed.text("latest_revision_id"));
        assertThat(named.text("display_name")).isEqualTo("Support");
        assertThat(named.text("latest_revision_id")).isEqualTo(deployed.text("latest_revision_id"));
        assertThat(changed.text("latest_revision_id")).isNotEqualTo(deployed.text("latest_revision_id"));
        assertThat(changed.text("source_config.install_command")).isEqualTo("npm ci");
    }

    @Test
    void immutableMembersCannotBeChanged() {
        // Given
        UUID id = Deployments.create(account, name).id();

        // When
        HttpResult response = as(account).patch(Deployments.PATH + "/" + id, """
                {"name": "other", "source": "external_docker", "integration_id": "%s",
                 "source_config": {"repo_url": "https://git.example.com/other", "deployment_type": "prod"},
                 "source_revision_config": {"image_uri": "registry.example.com/x"}}""".formatted(UUID.randomUUID()));

        // Then
        assertThat(response.status()).isEqualTo(422);
        assertThat(response.list("errors.loc", List.class)).containsExactlyInAnyOrder(List.of("name"), List.of("source"),
                List.of("integration_id"), List.of("source_config", "repo_url"), List.of("source_config", "deployment_type"),
                List.of("source_revision_config", "image_uri"));
    }

    @Test
    void integrationIsLimitedToRepositoriesUnderItsBaseUrl() {
        // Given
        UUID integration = as(account).post("/v1/integrations/repohost/install", """
                {"installation_id": 1, "name": "acme", "base_url": "https://git.example.com/acm"}""").id();

        // When
        HttpResult beside = Deployments.create(account,
                Deployments.body(name, "main", ", \"integration_id\": \"" + integration + "\""), 422);
        HttpResult foreign = Deployments.create(account,
                Deployments.body(name, "main", ", \"integration_id\": \"" + UUID.randomUUID() + "\""), 404);

        // Then
        assertThat(beside.list("errors.loc", List.class)).containsExactly(List.of("source_config", "repo_url"));
        assertThat(foreign.detail()).contains("integration");
    }

    @Test
    void secretsAreVisibleToApplicationOnly() {
        // Given
        engine.script(name).prepare(step -> {
            step.log().line(Phase.BUILD, Stream.STDOUT, "the key is " + SECRET);
            return Uni.createFrom().item(Outcome.Failed.permanent("install failed: bad key " + SECRET));
        });
        try (LogLines log = LogLines.listen()) {
            // When
            HttpResult created = Deployments.create(account,
                    Deployments.body(name, "main", ", \"secrets\": [{\"name\": \"API_KEY\", \"value\": \"" + SECRET + "\"}]"),
                    201);
            UUID revision = Deployments.latest(created);
            HttpResult failed = Deployments.awaitStatus(account, created.id(), revision, "BUILD_FAILED");
            HttpResult logs = as(account).get(Deployments.revision(created.id(), revision) + "/logs");

            // Then
            assertThat(created.list("secrets.name", String.class)).containsExactly("API_KEY");
            assertThat(engine.plan(revision).environment()).containsEntry("API_KEY", SECRET)
                    .containsOnlyKeys("API_KEY", "WAYBILL_TRACING_KEY");
            assertThat(failed.text("status_message")).isEqualTo("install failed: bad key ***");
            assertThat(logs.list("logs.line", String.class)).contains("the key is ***");
            assertThat(List.of(created.body(), failed.body(), logs.body(), Deployments.get(account, created.id()).body(),
                    engine.plan(revision).toString())).noneMatch(text -> text.contains(SECRET));
            assertThat(DatabaseInspector.everything("deploy")).noneMatch(row -> row.contains(SECRET));
            assertThat(DatabaseInspector.everything("account")).noneMatch(row -> row.contains(SECRET));
            assertThat(log.lines()).noneMatch(line -> line.contains(SECRET));
        }
    }

    @Test
    void deletionCompletesAfterEverythingHasStopped() {
        // Given
        UUID id = Deployments.deployed(account, name).id();
        engine.blockStop(id, true);

        // When
        HttpResult deleted = as(account).delete(Deployments.PATH + "/" + id);
        HttpResult again = as(account).delete(Deployments.PATH + "/" + id);

        // Then
        assertThat(List.of(deleted.status(), again.status())).containsExactly(204, 204);
        assertThat(Deployments.get(account, id).text("status")).isEqualTo("AWAITING_DELETE");
        assertThat(as(account).patch(Deployments.PATH + "/" + id, "{\"display_name\": \"x\"}").status()).isEqualTo(409);
        engine.blockStop(id, false);
        Patience.await().untilAsserted(() -> assertThat(Deployments.get(account, id).status()).isEqualTo(404));
        assertThat(engine.running(id)).isEmpty();
        assertThat(DatabaseInspector.count("SELECT count(*) FROM deploy.revisions WHERE deployment_id = '" + id + "'"))
                .isZero();
        assertThat(DatabaseInspector.count("SELECT count(*) FROM deploy.ports WHERE deployment_id = '" + id + "'")).isZero();
    }

    @Test
    void deletionInterruptsRevisionInProgress() {
        // Given
        engine.script(name).prepare(Script.NEVER);
        HttpResult created = Deployments.create(account, name);
        engine.awaitStarted("prepare", Deployments.latest(created));

        // When
        as(account).delete(Deployments.PATH + "/" + created.id());

        // Then
        Patience.await().untilAsserted(() -> assertThat(Deployments.get(account, created.id()).status()).isEqualTo(404));
        Patience.await().until(() -> engine.wasCancelled(Deployments.latest(created)));
    }

    private List<String> names(String query) {
        return as(account).get(Deployments.PATH + query).list("resources.name", String.class);
    }
}
