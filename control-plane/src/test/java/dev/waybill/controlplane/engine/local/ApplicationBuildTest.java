package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.Engine.Outcome.Done;
import dev.waybill.controlplane.engine.Engine.Outcome.Failed;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import io.smallrye.mutiny.subscription.Cancellable;

/** Failure reasons of builds, and untrusted repositories. */
class ApplicationBuildTest extends LocalEngineScenario {

    @Test
    void reportsAMissingRepository() {
        // Given
        RevisionSpec plan = plan("0".repeat(40), "langgraph.json", null);
        Commit here = (Commit) plan.source();
        RevisionSpec elsewhere = new RevisionSpec(plan.tenantId(), deployment, plan.revisionId(), 1, "agent",
                new Commit(here.url() + "-absent", here.id(), "langgraph.json", null, null, null), Map.of(), plan.resources(),
                1,
                plan.url());

        // When
        Outcome outcome = fixture.prepare(engine, elsewhere);

        // Then
        assertThat(reason(outcome)).contains("There is no git repository at");
    }

    @Test
    void reportsAMissingCommit() throws IOException {
        // Given
        fixture.repository.commit();

        // When
        Outcome outcome = fixture.prepare(engine, plan("0".repeat(40), "langgraph.json", null));

        // Then
        assertThat(reason(outcome)).contains("does not have this commit any more");
    }

    @Test
    void reportsAMissingConfigurationFile() throws IOException {
        // Given
        String commit = fixture.repository.commit();

        // When
        Outcome outcome = fixture.prepare(engine, plan(commit, "services/chat/langgraph.json", null));

        // Then
        assertThat(reason(outcome)).contains("no configuration file \"services/chat/langgraph.json\"")
                .contains("langgraph_config_path");
    }

    @ParameterizedTest
    @ValueSource(strings = { "../../../etc/passwd", "/etc/passwd", "a/../../x", "", ".", "a\0b" })
    void rejectsConfigurationPathsOutsideTheRepository(String path) throws IOException {
        // Given
        String commit = fixture.repository.commit();

        // When
        Outcome outcome = fixture.prepare(engine, plan(commit, path, null));

        // Then
        assertThat(reason(outcome)).contains("langgraph_config_path must be the path of a file within the repository");
    }

    @Test
    void reportsTheLineOfMalformedJson() throws IOException {
        // Given
        String commit = fixture.repository.file("langgraph.json", "{\"graphs\": {").commit();

        // When
        Outcome outcome = fixture.prepare(engine, plan(commit, "langgraph.json", null));

        // Then
        assertThat(reason(outcome)).startsWith("langgraph.json: is not well-formed JSON (line 1");
    }

    @Test
    void reportsAMissingGraphFile() throws IOException {
        // Given
        String commit = fixture.repository.file("langgraph.json", "{\"graphs\": {\"chat\": \"./chat.mjs:graph\"}}").commit();

        // When
        Outcome outcome = fixture.prepare(engine, plan(commit, "langgraph.json", null));

        // Then
        assertThat(reason(outcome)).startsWith("langgraph.json: graphs.chat names \"./chat.mjs\", which does not exist");
    }

    @Test
    void failedCommandsOutputIsOnlyInTheLog() throws IOException {
        // Given
        String commit = fixture.repository.commit();

        // When
        Outcome outcome = fixture.prepare(engine,
                plan(commit, "langgraph.json", "echo \"no such package\"; echo $SECRET >&2; exit 3"));

        // Then
        assertThat(reason(outcome)).endsWith("ended with exit code 3. Fix it and deploy again; the log has its output.")
                .doesNotContain("hush-hush");
        assertThat(fixture.log).contains("BUILD STDOUT no such package");
    }

    @Test
    void deletionDuringABuildRemovesEverything() throws IOException {
        // Given
        RevisionSpec plan = plan(fixture.repository.commit(), "langgraph.json", "sleep 1000");
        Cancellable step = engine.prepare(plan, (_, _, _) -> {
        }).subscribe().with(_ -> {
        });
        await().atMost(LocalEngineFixture.TIMEOUT).until(() -> !fixture.processes(plan).isEmpty());

        // When
        step.cancel();
        fixture.stop(engine, deployment);

        // Then
        assertThat(fixture.processes(plan)).isEmpty();
        assertThat(fixture.settings.directory().resolve(deployment.toString())).doesNotExist();
    }

    @Test
    void incompleteBuildIsRepeated() throws IOException {
        // Given
        String commit = fixture.repository.commit();
        RevisionSpec plan = plan(commit, "langgraph.json", "test ! -e seen && touch seen");
        Files.createDirectories(fixture.build(plan).resolve("repository"));
        Files.writeString(fixture.build(plan).resolve("repository/seen"), "by the one before");

        // When
        Outcome first = fixture.prepare(engine, plan);
        Outcome again = fixture.prepare(fixture.engine(), plan);

        // Then: the second call does nothing
        assertThat(first).isInstanceOf(Done.class);
        assertThat(again).isInstanceOf(Done.class);
    }

    @Test
    void followsLinksWithinTheRepository() throws IOException {
        // Given: a graph that two applications share
        String commit = fixture.repository.file("shared/agent.mjs", "export const graph = 1").link("chat/agent.mjs",
                "../shared/agent.mjs").file("chat/langgraph.json", "{\"graphs\": {\"chat\": \"./agent.mjs:graph\"}}").commit();

        // When
        Outcome outcome = fixture.prepare(engine, plan(commit, "chat/langgraph.json", null));

        // Then
        assertThat(outcome).isInstanceOf(Done.class);
    }

    @ParameterizedTest
    @ValueSource(strings = { "langgraph.json", "agent.mjs", "src" })
    void rejectsLinksOutOfTheRepository(String path) throws IOException {
        // Given
        String commit = fixture.repository.without("langgraph.json").file("a/b", "c").link(path, "../../..").commit();

        // When
        Outcome outcome = fixture.prepare(engine, plan(commit, "langgraph.json", null));

        // Then
        assertThat(reason(outcome)).contains("link " + path + " points outside of the repository");
    }

    @Test
    void ignoresGitHooksFiltersAndConfiguration() throws IOException {
        // Given: a filter, a hook, a configuration that names programs, and a Git LFS pointer
        String pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0".repeat(64) + "\nsize 5\n";
        String touch = "touch " + directory.resolve("touched");
        String commit = fixture.repository.file(".gitattributes", "* filter=evil\n*.bin filter=lfs diff=lfs merge=lfs -text\n")
                .file(".gitconfig", "[filter \"evil\"]\n smudge = " + touch + "\n required = true\n")
                .file(".lfsconfig", "[lfs]\n url = http://127.0.0.1:1/\n")
                .program("hooks/post-checkout", "#!/bin/sh\n" + touch).file("model.bin", pointer).commit();

        // When
        RevisionSpec plan = plan(commit, "langgraph.json", null);
        Outcome outcome = fixture.prepare(engine, plan);

        // Then
        assertThat(outcome).isInstanceOf(Done.class);
        assertThat(fixture.build(plan).resolve("repository/model.bin")).hasContent(pointer.strip());
        assertThat(fixture.log).contains(
                "BUILD SYSTEM Git LFS files are not fetched; the checkout has their pointer files: 1.");
        assertThat(directory.resolve("touched")).doesNotExist();
    }

    private RevisionSpec plan(String commit, String path, @Nullable String install) {
        return fixture.plan(deployment, 1, 1, commit, path, install, Map.of("SECRET", "hush-hush"));
    }

    private static String reason(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Failed.class);
        return ((Failed) outcome).reason();
    }
}
