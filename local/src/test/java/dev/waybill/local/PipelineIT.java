package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.Pipeline.Result;
import dev.waybill.local.client.Json;
import dev.waybill.local.stack.ServiceKind;

/** Runs the pipelines of docs/ci.md and their script. */
class PipelineIT {

    private static final String EXPERIMENTS = "local/src/main/resources/samples/experiments/support-answers-%s.json";

    @TempDir
    private static Path repositories;
    private static Workspace workspace;
    private static AgentRepository repository;
    private static AgentDeployment deployment;
    private static String commit;

    @TempDir
    private Path job;

    @BeforeAll
    static void deploy() {
        workspace = Workspace.create("pipeline");
        repository = AgentRepository.in(repositories.resolve("agent.git"));
        repository.commit("the first");
        deployment = AgentDeployment.create(workspace, repository);
        deployment.awaitDeployed(deployment.latestRevision());
        commit = repository.commit("the second");
    }

    @AfterAll
    static void remove() {
        deployment.delete();
        repository.close();
    }

    @BeforeEach
    void checkout() throws IOException {
        Files.createDirectory(job.resolve("ci"));
        Files.copy(RunningStack.root().resolve("docs/ci/waybill.sh"), job.resolve("ci/waybill.sh"));
    }

    @Test
    void githubDeploysCommitThatPassesGate() throws Exception {
        // Given
        setBaseline("baseline");
        createEvaluation("candidate");
        Path page = Files.createFile(job.resolve("page.md"));

        // When
        Result result = Pipeline.github().run(job,
                settings(Map.of("GITHUB_SHA", commit, "GITHUB_STEP_SUMMARY", page.toString())));

        // Then
        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.output()).containsSubsequence("is DEPLOYED", "serves at " + deployment.url(), "## Passed",
                "is DEPLOYED", "serves at " + deployment.url());
        assertDeployed();
        assertThat(Files.readString(page)).contains("## Passed", "correct");
    }

    @Test
    @Tag("full")
    void gitlabStopsWhenGateFails() throws Exception {
        // Given
        setBaseline("candidate");
        createEvaluation("baseline");

        // When
        Result result = Pipeline.gitlab().run(job, settings(Map.of("CI_COMMIT_SHA", commit)));

        // Then
        assertThat(result.status()).as("%s", result).isEqualTo(1);
        assertThat(result.output()).containsOnlyOnce("is DEPLOYED").contains("serves at " + deployment.url(), "## Failed",
                "correct");
        assertDeployed();
    }

    @Test
    void failedBuildEndsJobWithReason() throws Exception {
        // Given
        UUID served = deployment.get().activeRevisionId();

        // When
        Result noBranch = Pipeline.gitlab().only("$PRODUCTION").run(job, settings(Map.of("CI_COMMIT_SHA", "no-such-branch")));
        Result noCommit = Pipeline.github().run(job, settings(Map.of("GITHUB_SHA", "0123456789".repeat(4))));

        // Then
        assertThat(noBranch.status()).as("%s", noBranch).isEqualTo(1);
        assertThat(noBranch.errors()).contains("BUILD_FAILED: ", "no branch or tag \"no-such-branch\"");
        assertThat(noCommit.status()).as("%s", noCommit).isEqualTo(1);
        assertThat(noCommit.errors()).contains("BUILD_FAILED: ", "\n  | ");
        assertThat(deployment.get().activeRevisionId()).isEqualTo(served);
    }

    @Test
    void rejectionIsPrinted() throws Exception {
        // When
        Result unknown = Pipeline.gitlab().run(job,
                settings(Map.of("CI_COMMIT_SHA", commit, "STAGING", UUID.randomUUID().toString())));
        Result invalidRef = Pipeline.gitlab().run(job, settings(Map.of("CI_COMMIT_SHA", "a \"branch\" of \\ x")));
        Result unknownKey = Pipeline.gitlab().run(job,
                settings(Map.of("CI_COMMIT_SHA", commit, "WAYBILL_API_KEY", "wb_00000000_" + "x".repeat(43))));

        // Then
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.errors()).contains("404", "waybill: ");
        assertThat(invalidRef.status()).isEqualTo(1);
        assertThat(invalidRef.errors()).contains("422", "waybill: source_revision_config.repo_ref ");
        assertThat(unknownKey.status()).isEqualTo(1);
        assertThat(unknownKey.errors()).contains("401", "waybill: ").doesNotContain("xxxxxxxx");
    }

    @Test
    void jobFailsAfterTimeout() throws Exception {
        // When
        Result result = Pipeline.gitlab().run(job, settings(Map.of("CI_COMMIT_SHA", commit, "WAYBILL_PATIENCE", "0")));

        // Then
        assertThat(result.status()).as("%s", result).isEqualTo(1);
        assertThat(result.errors()).contains(" after 0 s");
    }

    private static void assertDeployed() {
        assertThat(deployment.application().assistant().description()).isEqualTo("the second");
        assertThat(deployment.revision(deployment.latestRevision()).sourceRevisionConfig().repoCommitSha())
                .isEqualTo(commit);
    }

    /** Returns the project's variables. Staging and production are the same deployment, which saves time. */
    private static Map<String, String> settings(Map<String, String> additional) {
        Map<String, String> settings = new TreeMap<>(Map.of(
                "WAYBILL_CONTROL_PLANE_URL", workspace.running().address(ServiceKind.CONTROL_PLANE).toString(),
                "WAYBILL_EXPERIMENT_URL", workspace.running().address(ServiceKind.EXPERIMENT).toString(),
                "WAYBILL_API_KEY", workspace.apiKey(), "STAGING", deployment.id().toString(), "PRODUCTION",
                deployment.id().toString()));
        settings.putAll(additional);
        return settings;
    }

    private static void setBaseline(String sample) throws IOException {
        ObjectNode experiment = (ObjectNode) Json.parse(Files.readAllBytes(sample(sample)));
        experiment.put("experiment_name", "baseline " + UUID.randomUUID());
        JsonNode created = workspace.client().json().post(experiments("upload-experiment"), experiment);
        workspace.client().json().patch(experiments(created.at("/dataset/id").textValue()),
                Json.object().put("baseline_experiment_id", created.at("/experiment/id").textValue()));
    }

    /** Creates an evaluation program that prints a recorded experiment. */
    private void createEvaluation(String sample) throws IOException {
        Path program = Files.writeString(job.resolve("ci/evaluate"), """
                #!/bin/sh
                sed 's/"experiment_name": "/&%s /' '%s'
                """.formatted(UUID.randomUUID(), sample(sample)));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Path sample(String name) {
        return RunningStack.root().resolve(EXPERIMENTS.formatted(name));
    }

    private static URI experiments(String rest) {
        return workspace.running().address(ServiceKind.EXPERIMENT).resolve("/api/v1/datasets/" + rest);
    }
}
