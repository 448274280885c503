package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.controlplane.engine.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.engine.Outcome.Done;
import dev.waybill.controlplane.engine.Outcome.Failed;
import dev.waybill.controlplane.engine.Plan;
import io.smallrye.mutiny.subscription.Cancellable;

/** The reasons of issue and contract one by one, and what commands may try. */
class PreparationTest {

    @TempDir
    private Path directory;
    private EngineGround ground;
    private LocalEngine engine;
    private final UUID deployment = UUID.randomUUID();

    @BeforeEach
    void start() throws IOException {
        ground = new EngineGround(directory);
        engine = ground.engine();
    }

    @AfterEach
    void stop() {
        ground.close();
    }

    @Test
    void repositoriesThatAreNotThereAreToldSo() {
        // Given
        Plan plan = plan("0".repeat(40), "langgraph.json", null);
        Commit here = (Commit) plan.source();
        Plan elsewhere = new Plan(plan.tenantId(), deployment, plan.revisionId(), 1, "agent",
                new Commit(here.url() + "-absent", here.id(), "langgraph.json", null, null, null), Map.of(), plan.resources(),
                1,
                plan.url());

        // When
        Outcome outcome = ground.prepare(engine, elsewhere);

        // Then
        assertThat(reason(outcome)).contains("There is no git repository at");
    }

    @Test
    void commitsThatAreNotThereAreToldSo() throws IOException {
        // Given
        ground.repository.commit();

        // When
        Outcome outcome = ground.prepare(engine, plan("0".repeat(40), "langgraph.json", null));

        // Then
        assertThat(reason(outcome)).contains("does not have this commit any more");
    }

    @Test
    void aMissingConfigurationFileIsNamed() throws IOException {
        // Given
        String commit = ground.repository.commit();

        // When
        Outcome outcome = ground.prepare(engine, plan(commit, "services/chat/langgraph.json", null));

        // Then
        assertThat(reason(outcome)).contains("no configuration file \"services/chat/langgraph.json\"")
                .contains("langgraph_config_path");
    }

    @ParameterizedTest
    @ValueSource(strings = { "../../../etc/passwd", "/etc/passwd", "a/../../x", "", ".", "a\0b" })
    void configurationPathsOutOfTheRepositoryAreRefused(String path) throws IOException {
        // Given
        String commit = ground.repository.commit();

        // When
        Outcome outcome = ground.prepare(engine, plan(commit, path, null));

        // Then
        assertThat(reason(outcome)).contains("langgraph_config_path must be the path of a file within the repository");
    }

    @Test
    void badJsonIsToldWithItsPlace() throws IOException {
        // Given
        String commit = ground.repository.file("langgraph.json", "{\"graphs\": {").commit();

        // When
        Outcome outcome = ground.prepare(engine, plan(commit, "langgraph.json", null));

        // Then
        assertThat(reason(outcome)).startsWith("langgraph.json: is not well-formed JSON (line 1");
    }

    @Test
    void graphsThatAreNotThereAreToldSo() throws IOException {
        // Given
        String commit = ground.repository.file("langgraph.json", "{\"graphs\": {\"chat\": \"./chat.mjs:graph\"}}").commit();

        // When
        Outcome outcome = ground.prepare(engine, plan(commit, "langgraph.json", null));

        // Then
        assertThat(reason(outcome)).startsWith("langgraph.json: graphs.chat names \"./chat.mjs\", which does not exist");
    }

    @Test
    void outputOfAFailedCommandIsOnlyInTheLog() throws IOException {
        // Given
        String commit = ground.repository.commit();

        // When
        Outcome outcome = ground.prepare(engine,
                plan(commit, "langgraph.json", "echo \"no such package\"; echo $SECRET >&2; exit 3"));

        // Then
        assertThat(reason(outcome)).endsWith("ended with exit code 3. Fix it and deploy again; the log has its output.")
                .doesNotContain("hush-hush");
        assertThat(ground.log).contains("BUILD STDOUT no such package");
    }

    @Test
    void whatIsDeletedWhileItIsBuiltIsGoneWholly() throws IOException {
        // Given
        Plan plan = plan(ground.repository.commit(), "langgraph.json", "sleep 1000");
        Cancellable step = engine.prepare(plan, (_, _, _) -> {
        }).subscribe().with(_ -> {
        });
        await().atMost(EngineGround.PATIENCE).until(() -> !ground.processes(plan).isEmpty());

        // When
        step.cancel();
        ground.stop(engine, deployment);

        // Then
        assertThat(ground.processes(plan)).isEmpty();
        assertThat(ground.settings.directory().resolve(deployment.toString())).doesNotExist();
    }

    @Test
    void whatACrashLeftHalfMadeIsMadeAnew() throws IOException {
        // Given
        String commit = ground.repository.commit();
        Plan plan = plan(commit, "langgraph.json", "test ! -e seen && touch seen");
        Files.createDirectories(ground.build(plan).resolve("repository"));
        Files.writeString(ground.build(plan).resolve("repository/seen"), "by the one before");

        // When
        Outcome first = ground.prepare(engine, plan);
        Outcome again = ground.prepare(ground.engine(), plan);

        // Then: the second time nothing is done
        assertThat(first).isInstanceOf(Done.class);
        assertThat(again).isInstanceOf(Done.class);
    }

    @Test
    void linksWithinTheRepositoryAreFollowed() throws IOException {
        // Given: a graph that two applications have in common
        String commit = ground.repository.file("shared/agent.mjs", "export const graph = 1").link("chat/agent.mjs",
                "../shared/agent.mjs").file("chat/langgraph.json", "{\"graphs\": {\"chat\": \"./agent.mjs:graph\"}}").commit();

        // When
        Outcome outcome = ground.prepare(engine, plan(commit, "chat/langgraph.json", null));

        // Then
        assertThat(outcome).isInstanceOf(Done.class);
    }

    @ParameterizedTest
    @ValueSource(strings = { "langgraph.json", "agent.mjs", "src" })
    void linksOutOfTheRepositoryAreRefusedWhateverTheyStandFor(String path) throws IOException {
        // Given
        String commit = ground.repository.without("langgraph.json").file("a/b", "c").link(path, "../../..").commit();

        // When
        Outcome outcome = ground.prepare(engine, plan(commit, "langgraph.json", null));

        // Then
        assertThat(reason(outcome)).contains("link " + path + " points outside of the repository");
    }

    @Test
    void nothingThatARepositoryBringsForGitIsRun() throws IOException {
        // Given: a filter, a hook, a configuration that names programs, and a pointer of large-file storage
        String pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0".repeat(64) + "\nsize 5\n";
        String touch = "touch " + directory.resolve("touched");
        String commit = ground.repository.file(".gitattributes", "* filter=evil\n*.bin filter=lfs diff=lfs merge=lfs -text\n")
                .file(".gitconfig", "[filter \"evil\"]\n smudge = " + touch + "\n required = true\n")
                .file(".lfsconfig", "[lfs]\n url = http://127.0.0.1:1/\n")
                .program("hooks/post-checkout", "#!/bin/sh\n" + touch).file("model.bin", pointer).commit();

        // When
        Plan plan = plan(commit, "langgraph.json", null);
        Outcome outcome = ground.prepare(engine, plan);

        // Then
        assertThat(outcome).isInstanceOf(Done.class);
        assertThat(ground.build(plan).resolve("repository/model.bin")).hasContent(pointer.strip());
        assertThat(ground.log).contains(
                "BUILD SYSTEM Git LFS files are not fetched; the checkout has their pointer files: 1.");
        assertThat(directory.resolve("touched")).doesNotExist();
    }

    private Plan plan(String commit, String path, @Nullable String install) {
        return ground.plan(deployment, 1, 1, commit, path, install, Map.of("SECRET", "hush-hush"));
    }

    private static String reason(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Failed.class);
        return ((Failed) outcome).reason();
    }
}
