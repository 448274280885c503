package dev.waybill.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.ApiClient;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.deployment.Deployments;
import dev.waybill.controlplane.engine.local.LocalDeploymentScenario;
import dev.waybill.controlplane.source.TestSourceConfig;
import io.quarkus.test.junit.QuarkusTest;

/** The failure reasons that contract.md lists, with the real engine, git and processes. */
@QuarkusTest
class FailureReasonsTest extends LocalDeploymentScenario {

    @Test
    void reportsAnUnreachableRepository() {
        // Given
        server.close();

        // When
        HttpResult created = create("");

        // Then: reported immediately, and retried until the timeout
        Patience.await().untilAsserted(() -> assertThat(revision(created).text("status_message"))
                .contains("The repository is not reachable: 127.0.0.1 refuses connections."));
        assertThat(revision(created).text("status")).isIn("CREATING", "CREATE_FAILED");
    }

    @Test
    void reportsAMissingRepository() {
        // Given
        sources.delegate(ref, TestSourceConfig.usual().sources(), server.url("/acme/absent.git"));

        // When
        HttpResult failed = failed(create(""), "CREATE_FAILED");

        // Then
        assertThat(failed.text("status_message")).startsWith("The repository does not exist at 127.0.0.1, or the integration's"
                + " token has no access to it");
    }

    @Test
    void reportsAMissingReference() throws IOException {
        // Given
        fixture.repository.commit();

        // When
        HttpResult failed = failed(create(""), "BUILD_FAILED");

        // Then
        assertThat(failed.text("status_message")).isEqualTo(
                "The repository has no branch or tag \"" + ref + "\"; check its name.");
    }

    @Test
    void reportsAMissingConfigurationFile() throws IOException {
        // Given
        fixture.repository.without("langgraph.json").commit(ref, false);

        // When
        HttpResult failed = failed(create(""), "BUILD_FAILED");

        // Then
        assertThat(failed.text("status_message")).isEqualTo("The repository has no configuration file \"langgraph.json\" in"
                + " this commit; add it, or name it in source_revision_config.langgraph_config_path.");
    }

    @Test
    void reportsMalformedJson() throws IOException {
        // Given
        fixture.repository.file("langgraph.json", "{\n  \"graphs\": {,}\n}").commit(ref, false);

        // When
        HttpResult failed = failed(create(""), "BUILD_FAILED");

        // Then
        assertThat(failed.text("status_message")).startsWith("langgraph.json: is not well-formed JSON (line 2");
    }

    @Test
    void reportsAMissingGraph() throws IOException {
        // Given
        fixture.repository.file("langgraph.json", "{\"graphs\": {\"chat\": \"./chat.mjs:graph\"}}").commit(ref, false);

        // When
        HttpResult failed = failed(create(""), "BUILD_FAILED");

        // Then
        assertThat(failed.text("status_message"))
                .startsWith("langgraph.json: graphs.chat names \"./chat.mjs\", which does not exist");
    }

    @Test
    void reportsAFailedInstallCommand() throws IOException {
        // Given
        fixture.repository.commit(ref, false);

        // When
        HttpResult failed = failed(create("echo fetching; echo 'no such package: left-pad' >&2; exit 1"), "BUILD_FAILED");

        // Then
        assertThat(failed.text("status_message"))
                .endsWith("ended with exit code 1. Fix it and deploy again; the log has its output.");
        assertThat(logOf(failed)).contains("fetching", "no such package: left-pad");
    }

    @Test
    void reportsAnUnhealthyApplication() throws IOException {
        // Given
        fixture.repository.file("behaviour", "never-healthy").commit(ref, false);
        HttpResult created = create("");
        Path log = fixture.deployment(created.id()).resolve(Deployments.latest(created).toString()).resolve("output.log");
        Patience.await().until(() -> Files.exists(log) && Files.readString(log).contains("begins as never-healthy"));

        // When
        fixture.setHealthTimeout(Duration.ofSeconds(2));
        HttpResult failed = failed(created, "DEPLOY_FAILED");

        // Then
        assertThat(failed.text("status_message")).startsWith("The application was not healthy within 2 s.")
                .doesNotContain("begins as");
        assertThat(logOf(failed)).anyMatch(line -> line.startsWith("begins as never-healthy"));
    }

    @Test
    @Tag("full")
    void reportsACrashAfterDeployment() throws Exception {
        // Given: a deployed application that also crashes after every restart
        fixture.repository.file("behaviour", "well").commit(ref, false);
        HttpResult created = create("");
        UUID revision = Deployments.latest(created);
        Deployments.awaitStatus(account, created.id(), revision, "DEPLOYED");
        Path behaviour = fixture.build(here(engines.plan(revision))).resolve("repository/behaviour");
        Files.writeString(behaviour, "crash-at-start");

        // When
        fixture.get(port, "/crash");

        // Then: reported while it lasts
        Patience.await().untilAsserted(() -> assertThat(revision(created).text("status_message"))
                .contains("The application ended").doesNotContain("cannot go on"));
        Patience.await().untilAsserted(() -> assertThat(logOf(revision(created))).contains("cannot go on"));
        assertThat(revision(created).text("status")).isEqualTo("UNKNOWN");
        assertThat(fixture.get(port, "/version").statusCode()).isEqualTo(503);

        // When
        Files.writeString(behaviour, "well");

        // Then
        Deployments.awaitStatus(account, created.id(), revision, "DEPLOYED");
        assertThat(fixture.get(port, "/version").body()).isEqualTo("well");
    }

    @Test
    @Tag("full")
    void killedProxyLeavesTheRevisionDeployed() throws Exception {
        // Given
        fixture.repository.file("behaviour", "well").commit(ref, false);
        HttpResult created = create("");
        Deployments.awaitStatus(account, created.id(), Deployments.latest(created), "DEPLOYED");
        String application = fixture.get(port, "/pid").body();

        // When
        for (ProcessHandle proxy : fixture.proxies()) {
            proxy.destroyForcibly();
            proxy.onExit().join();
        }

        // Then
        Set<String> statuses = new TreeSet<>();
        Patience.await().ignoreExceptionsInstanceOf(IOException.class).untilAsserted(() -> {
            statuses.add(revision(created).text("status"));
            assertThat(fixture.get(port, "/pid").body()).isEqualTo(application);
        });
        statuses.add(revision(created).text("status"));
        assertThat(statuses).containsExactly("DEPLOYED");
    }

    @Test
    void reportsAWorkersStartFailure() throws IOException {
        // Given
        fixture.repository.file("behaviour", "reports-failure").commit(ref, false);

        // When
        HttpResult failed = failed(create(""), "DEPLOY_FAILED");

        // Then: cause and advice in the message, the output in the log
        assertThat(failed.text("status_message")).isEqualTo("Graph \"agent\" is not there. Export it.");
        assertThat(logOf(failed)).contains("output of the worker");
    }

    @Test
    void reportsAMissingProgram() throws IOException {
        // Given
        fixture.repository.file("langgraph.json", "{\"graphs\": {\"agent\": {\"command\": [\"no-such-program\"]}}}")
                .commit(ref, false);

        // When
        HttpResult failed = failed(create(""), "BUILD_FAILED");

        // Then
        assertThat(failed.text("status_message"))
                .isEqualTo("langgraph.json: graphs.agent runs \"no-such-program\", but there is"
                        + " no such program on the PATH; install it with install_command, or fix the command.");
    }

    private List<String> logOf(HttpResult revision) {
        return ApiClient.as(account).get(Deployments.revision(deployment, revision.id()) + "/logs")
                .list("logs.line", String.class);
    }

    private HttpResult create(String install) {
        HttpResult created = Deployments.create(account, """
                {"name": "%s", "source": "repohost", "source_config": {"repo_url": "%s", "install_command": "%s"},
                 "source_revision_config": {"repo_ref": "%s"}}""".formatted(name, Deployments.REPOSITORY, install, ref), 201);
        deployment = created.id();
        return created;
    }

    private HttpResult failed(HttpResult created, String status) {
        return Deployments.awaitStatus(account, created.id(), Deployments.latest(created), status);
    }

    private HttpResult revision(HttpResult created) {
        return ApiClient.as(account).get(Deployments.revision(created.id(), Deployments.latest(created)));
    }
}
