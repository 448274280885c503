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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.Pipeline.Ended;
import dev.waybill.local.client.Json;
import dev.waybill.local.stack.ServiceKind;

/** The pipelines of docs/ci.md with its script, as their hosts would run them. */
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
        commit = repository.commit("what was pushed");
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
    void githubDeploysWhatWasPushedAndIsGoodEnough() throws Exception {
        // Given
        giveBaseline("baseline");
        evaluateAs("candidate");
        Path page = Files.createFile(job.resolve("page.md"));

        // When
        Ended ended = Pipeline.github().run(job,
                settings(Map.of("GITHUB_SHA", commit, "GITHUB_STEP_SUMMARY", page.toString())));

        // Then
        assertThat(ended.status()).as("%s", ended).isZero();
        assertThat(ended.output()).containsSubsequence("is DEPLOYED", "serves at " + deployment.url(), "## Passed",
                "is DEPLOYED", "serves at " + deployment.url());
        assertDeployed();
        assertThat(Files.readString(page)).contains("## Passed", "correct");
    }

    @Test
    void gitlabDoesNotGoOnWithWhatIsWorse() throws Exception {
        // Given
        giveBaseline("candidate");
        evaluateAs("baseline");

        // When
        Ended ended = Pipeline.gitlab().run(job, settings(Map.of("CI_COMMIT_SHA", commit)));

        // Then
        assertThat(ended.status()).as("%s", ended).isEqualTo(1);
        assertThat(ended.output()).containsOnlyOnce("is DEPLOYED").contains("serves at " + deployment.url(), "## Failed",
                "correct");
        assertDeployed();
    }

    @Test
    void whatCannotBeBuiltEndsTheJobWithItsReason() throws Exception {
        // Given
        String served = deployment.get().required("active_revision_id").textValue();

        // When
        Ended noBranch = Pipeline.gitlab().only("$PRODUCTION").run(job, settings(Map.of("CI_COMMIT_SHA", "no-such-branch")));
        Ended noCommit = Pipeline.github().run(job, settings(Map.of("GITHUB_SHA", "0123456789".repeat(4))));

        // Then
        assertThat(noBranch.status()).as("%s", noBranch).isEqualTo(1);
        assertThat(noBranch.errors()).contains("BUILD_FAILED: ", "no branch or tag \"no-such-branch\"");
        assertThat(noCommit.status()).as("%s", noCommit).isEqualTo(1);
        assertThat(noCommit.errors()).contains("BUILD_FAILED: ", "\n  | ");
        assertThat(deployment.get().required("active_revision_id").textValue()).isEqualTo(served);
    }

    @Test
    void aRefusalIsToldAsTheServiceToldIt() throws Exception {
        // When
        Ended unknown = Pipeline.gitlab().run(job,
                settings(Map.of("CI_COMMIT_SHA", commit, "STAGING", UUID.randomUUID().toString())));
        Ended odd = Pipeline.gitlab().run(job, settings(Map.of("CI_COMMIT_SHA", "a \"branch\" of \\ mine")));
        Ended nobody = Pipeline.gitlab().run(job,
                settings(Map.of("CI_COMMIT_SHA", commit, "WAYBILL_API_KEY", "wb_00000000_" + "x".repeat(43))));

        // Then
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.errors()).contains("404", "waybill: ");
        assertThat(odd.status()).isEqualTo(1);
        assertThat(odd.errors()).contains("422", "waybill: source_revision_config.repo_ref ");
        assertThat(nobody.status()).isEqualTo(1);
        assertThat(nobody.errors()).contains("401", "waybill: ").doesNotContain("xxxxxxxx");
    }

    @Test
    void whatTakesTooLongIsGivenUp() throws Exception {
        // When
        Ended ended = Pipeline.gitlab().run(job, settings(Map.of("CI_COMMIT_SHA", commit, "WAYBILL_PATIENCE", "0")));

        // Then
        assertThat(ended.status()).as("%s", ended).isEqualTo(1);
        assertThat(ended.errors()).contains(" after 0 s");
    }

    private static void assertDeployed() {
        assertThat(deployment.description()).isEqualTo("what was pushed");
        assertThat(deployment.revision(deployment.latestRevision()).at("/source_revision_config/repo_commit_sha").textValue())
                .isEqualTo(commit);
    }

    /** Both are one deployment: that they are different ones changes nothing of what is shown, and takes longer. */
    private static Map<String, String> settings(Map<String, String> more) {
        Map<String, String> settings = new TreeMap<>(Map.of(
                "WAYBILL_CONTROL_PLANE_URL", workspace.running().address(ServiceKind.CONTROL_PLANE).toString(),
                "WAYBILL_EXPERIMENT_URL", workspace.running().address(ServiceKind.EXPERIMENT).toString(),
                "WAYBILL_API_KEY", workspace.apiKey(), "STAGING", deployment.id(), "PRODUCTION", deployment.id()));
        settings.putAll(more);
        return settings;
    }

    private static void giveBaseline(String sample) throws IOException {
        ObjectNode experiment = (ObjectNode) Json.parse(Files.readAllBytes(sample(sample)));
        experiment.put("experiment_name", "baseline " + UUID.randomUUID());
        JsonNode made = workspace.client().post(experiments("upload-experiment"), experiment);
        workspace.client().patch(experiments(made.at("/dataset/id").textValue()),
                Json.object().put("baseline_experiment_id", made.at("/experiment/id").textValue()));
    }

    /** Stands for somebody's own evaluation: what it prints was found out before. */
    private void evaluateAs(String sample) throws IOException {
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
