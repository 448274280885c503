package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
        assertThat(reason(outcome)).startsWith("langgraph.json: graphs.chat names \"./chat.mjs\", but there is no such file");
    }

    @Test
    void commandsThatFailAreToldWithTheirLastWordsAndWithoutSecrets() throws IOException {
        // Given
        String commit = ground.repository.commit();

        // When
        Outcome outcome = ground.prepare(engine,
                plan(commit, "langgraph.json", "echo \"no such package\"; echo $SECRET >&2; exit 3"));

        // Then
        assertThat(reason(outcome)).contains("ended with exit code 3").contains("no such package").contains("[redacted]")
                .doesNotContain("hush-hush");
        assertThat(ground.log).contains("BUILD STDOUT no such package");
    }

    @Test
    void commandsSeeTheirOwnEnvironmentAndNothingOfTheControlPlane() throws IOException {
        // Given
        String commit = ground.repository.commit();

        // When
        Outcome outcome = ground.prepare(engine, plan(commit, "langgraph.json", "env > environment; pwd > where"));

        // Then
        assertThat(outcome).isInstanceOf(Done.class);
        Path files = ground.build(plan(commit, "langgraph.json", "env > environment; pwd > where")).resolve("repository");
        assertThat(Files.readAllLines(files.resolve("environment"))).extracting(line -> line.split("=")[0])
                .contains("SECRET", "HOME", "PATH")
                .isSubsetOf("SECRET", "HOME", "PATH", "TMPDIR", "PWD", "OLDPWD", "SHLVL", "_", MarkedProcesses.MARK);
        assertThat(files.resolve("where")).hasContent(files.toString());
    }

    @Test
    void commandsThatNeverEndAreStopped() throws IOException {
        // Given
        String commit = ground.repository.commit();
        ground.settings.commandTimeout = Duration.ofMillis(700);

        // When
        Plan plan = plan(commit, "langgraph.json", "echo waiting; sleep 1000");
        Outcome outcome = ground.prepare(engine, plan);

        // Then
        assertThat(reason(outcome)).contains("did not end within").contains("was stopped");
        assertThat(ground.processes(plan)).isEmpty();
    }

    @Test
    void whatCommandsLeaveRunningIsEnded() throws IOException {
        // Given: in the background, with its output open, and in a session of its own
        String commit = ground.repository.commit();

        // When
        Plan plan = plan(commit, "langgraph.json",
                "sleep 1000 & (setsid sleep 1000 &) ; nohup sleep 1000 >/dev/null 2>&1 & true");
        Outcome outcome = ground.prepare(engine, plan);

        // Then
        assertThat(outcome).isInstanceOf(Done.class);
        assertThat(ground.processes(plan)).isEmpty();
    }

    @Test
    void whoThrowsItsMarkAwayHoldsNobodyUp() throws IOException {
        // Given: one in the command's group, and one that ends by itself some time and has the output open
        String commit = ground.repository.commit();

        // When
        Plan plan = plan(commit, "langgraph.json",
                "env -i sleep 1000 & echo $! > ../stray; env -i setsid sleep 60 2>/dev/null & true");
        Outcome outcome = ground.prepare(engine, plan);

        // Then
        assertThat(outcome).isInstanceOf(Done.class);
        long stray = Long.parseLong(Files.readString(ground.build(plan).resolve("stray")).strip());
        await().atMost(EngineGround.PATIENCE)
                .until(() -> ProcessHandle.of(stray).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void commandsThatForkWithoutEndAreStopped() throws IOException {
        // Given
        String commit = ground.repository.commit();

        // When
        Plan plan = plan(commit, "langgraph.json", "while true; do sleep 1000 & sleep 0.002; done");
        Outcome outcome = ground.prepare(engine, plan);

        // Then
        assertThat(reason(outcome)).contains("had more than 50 processes at once");
        assertThat(ground.processes(plan)).isEmpty();
    }

    @Test
    void commandsThatFillTheDiskAreStopped() throws IOException {
        // Given
        String commit = ground.repository.commit();
        ground.settings.disk = 4 << 20;

        // When
        Plan plan = plan(commit, "langgraph.json",
                "i=0; while true; do i=$((i+1)); head -c 1000000 /dev/zero > file-$i; done");
        Outcome outcome = ground.prepare(engine, plan);

        // Then
        assertThat(reason(outcome)).contains("wrote more than 4 MiB");
        assertThat(ground.processes(plan)).isEmpty();
    }

    @Test
    void commandsThatTalkWithoutEndAreHeardInPart() throws IOException {
        // Given
        String commit = ground.repository.commit();
        ground.settings.lines = 100;

        // When
        Outcome outcome = ground.prepare(engine, plan(commit, "langgraph.json",
                "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo line $i; done; head -c 300000 /dev/zero | tr '\\0' x; exit 1"));

        // Then
        assertThat(ground.log).contains("BUILD SYSTEM Only the first 100 lines are kept.").hasSizeLessThan(110);
        assertThat(reason(outcome)).contains("line 3000").hasSizeLessThan(10_000);
    }

    @Test
    void cancellingEndsWhatRuns() throws IOException {
        // Given
        Plan plan = plan(ground.repository.commit(), "langgraph.json", "sleep 1000 & setsid sleep 1000");
        Cancellable step = engine.prepare(plan, (_, _, _) -> {
        }).subscribe().with(_ -> {
        });
        await().atMost(EngineGround.PATIENCE).until(() -> ground.processes(plan).size() >= 3);

        // When
        step.cancel();

        // Then
        await().atMost(EngineGround.PATIENCE).until(() -> ground.processes(plan).isEmpty());
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

    @ParameterizedTest
    @ValueSource(strings = { "rm langgraph.json; ln -s /etc/hostname langgraph.json",
            "mkdir sub; mv langgraph.json ../elsewhere.json; ln -s ../../elsewhere.json langgraph.json", "rm langgraph.json" })
    void aConfigurationFileThatCommandsLeadOutIsNotRead(String install) throws IOException {
        // Given
        String commit = ground.repository.commit();

        // When
        Outcome outcome = ground.prepare(engine, plan(commit, "langgraph.json", install));

        // Then
        assertThat(reason(outcome)).contains("has no configuration file \"langgraph.json\"");
    }

    @ParameterizedTest
    @CsvSource({ "ln -s /etc/hostname agent.mjs, graphs.chat must name a file inside the application",
            "echo x > ../agent.mjs; ln -s ../agent.mjs agent.mjs, graphs.chat must name a file inside the application",
            "touch agent.mjs; ln -s /etc/passwd .env, env names the file \".env\"" })
    void whatCommandsLeadOutIsNotFollowed(String install, String told) throws IOException {
        // Given
        String commit = ground.repository
                .file("langgraph.json", "{\"graphs\": {\"chat\": \"./agent.mjs:graph\"}, \"env\": \".env\"}").commit();

        // When
        Outcome outcome = ground.prepare(engine, plan(commit, "langgraph.json", install));

        // Then
        assertThat(reason(outcome)).contains(told).doesNotContain("root");
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
        assertThat(reason(outcome)).contains("link " + path + " leads out of it");
    }

    @Test
    void commandsThatTalkForEverAreStoppedAndHeardInPart() throws IOException {
        // Given
        String commit = ground.repository.commit();
        ground.settings.lines = 100;
        ground.settings.commandTimeout = Duration.ofSeconds(1);

        // When
        Plan plan = plan(commit, "langgraph.json", "yes $SECRET");
        Outcome outcome = ground.prepare(engine, plan);

        // Then
        assertThat(reason(outcome)).contains("did not end within 1 s").doesNotContain("hush-hush");
        assertThat(ground.log).hasSizeLessThan(110);
        assertThat(ground.processes(plan)).isEmpty();
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
