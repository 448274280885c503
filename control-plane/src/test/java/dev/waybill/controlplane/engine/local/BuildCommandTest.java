package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.Engine.Outcome.Done;
import dev.waybill.controlplane.engine.Engine.Outcome.Failed;
import dev.waybill.controlplane.engine.RevisionSpec;
import io.smallrye.mutiny.subscription.Cancellable;

/** Limits and isolation of untrusted commands. */
class BuildCommandTest {

    @TempDir
    private Path directory;
    private LocalEngineFixture fixture;
    private LocalEngine engine;
    private ProcessLauncher launcher;
    private final UUID deployment = UUID.randomUUID();

    @BeforeEach
    void start() throws IOException {
        fixture = new LocalEngineFixture(directory);
        engine = fixture.engine();
        launcher = new ProcessLauncher(fixture.settings, System.getenv());
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void commandSeesOnlyItsOwnEnvironment() throws IOException {
        // Given
        String commit = fixture.repository.commit();

        // When
        Outcome outcome = fixture.prepare(engine, plan(commit, "langgraph.json", "env > environment; pwd > where"));

        // Then
        assertThat(outcome).isInstanceOf(Done.class);
        Path files = fixture.build(plan(commit, "langgraph.json", "env > environment; pwd > where")).resolve("repository");
        assertThat(Files.readAllLines(files.resolve("environment"))).extracting(line -> line.split("=")[0])
                .contains("SECRET", "HOME", "PATH")
                .isSubsetOf("SECRET", "HOME", "PATH", "TMPDIR", "PWD", "OLDPWD", "SHLVL", "_", ProcessFinder.MARKER);
        assertThat(files.resolve("where")).hasContent(files.toString());
    }

    @Test
    void commandIsStoppedAtItsTimeout() throws IOException {
        // Given
        String commit = fixture.repository.commit();
        fixture.settings.commandTimeout = Duration.ofMillis(700);

        // When
        RevisionSpec plan = plan(commit, "langgraph.json", "echo waiting; sleep 1000");
        Outcome outcome = fixture.prepare(engine, plan);

        // Then
        assertThat(reason(outcome)).contains("did not end within").contains("was stopped");
        assertThat(fixture.processes(plan)).isEmpty();
    }

    @Test
    void backgroundProcessesAreKilled() throws IOException {
        // Given: processes in the background, with open output, and in another session
        String commit = fixture.repository.commit();

        // When
        RevisionSpec plan = plan(commit, "langgraph.json",
                "sleep 1000 & (setsid sleep 1000 &) ; nohup sleep 1000 >/dev/null 2>&1 & true");
        Outcome outcome = fixture.prepare(engine, plan);

        // Then
        assertThat(outcome).isInstanceOf(Done.class);
        assertThat(fixture.processes(plan)).isEmpty();
    }

    @Test
    void processWithoutMarkerDoesNotBlockTheBuild() throws Exception {
        // Given: one in the command's process group, and one outside of it that has the output open
        String commit = fixture.repository.commit();
        String group = sleep();
        String away = sleep();

        // When
        RevisionSpec plan = plan(commit, "langgraph.json",
                "env -i " + group + " & env -i setsid " + away + " 2>/dev/null & true");
        Outcome outcome = fixture.prepare(engine, plan);

        // Then
        assertThat(outcome).isInstanceOf(Done.class);
        await().atMost(LocalEngineFixture.TIMEOUT).until(() -> !runs(group));
        if (launcher.canIsolate()) {
            await().atMost(LocalEngineFixture.TIMEOUT).until(() -> !runs(away));
        }
    }

    @Test
    void commandSeesOnlyItsOwnProcesses() throws Exception {
        // Given
        assumeTrue(launcher.canIsolate());
        String commit = fixture.repository.commit();

        // When
        RevisionSpec plan = plan(commit, "langgraph.json", "cat /proc/[0-9]*/comm > names");
        Outcome outcome = fixture.prepare(engine, plan);

        // Then
        assertThat(outcome).isInstanceOf(Done.class);
        assertThat(Files.readAllLines(fixture.build(plan).resolve("repository/names"))).isNotEmpty().doesNotContain("java");
    }

    @Test
    @Tag("full")
    void forkBombIsStopped() throws IOException {
        // Given
        String commit = fixture.repository.commit();

        // When
        RevisionSpec plan = plan(commit, "langgraph.json", "while true; do sleep 1000 & sleep 0.002; done");
        Outcome outcome = fixture.prepare(engine, plan);

        // Then
        assertThat(reason(outcome)).contains("had more than 256 concurrent processes");
        assertThat(fixture.processes(plan)).isEmpty();
    }

    @Test
    void commandExceedingTheDiskLimitIsStopped() throws IOException {
        // Given
        String commit = fixture.repository.commit();
        fixture.settings.maxDisk = 4 << 20;

        // When
        RevisionSpec plan = plan(commit, "langgraph.json",
                "i=0; while true; do i=$((i+1)); head -c 1000000 /dev/zero > file-$i; done");
        Outcome outcome = fixture.prepare(engine, plan);

        // Then
        assertThat(reason(outcome)).contains("wrote more than 4 MiB");
        assertThat(fixture.processes(plan)).isEmpty();
    }

    @Test
    void longOutputIsTruncated() throws IOException {
        // Given
        String commit = fixture.repository.commit();

        // When
        Outcome outcome = fixture.prepare(engine, plan(commit, "langgraph.json",
                "i=0; while [ $i -lt 12000 ]; do i=$((i+1)); echo line $i; done; head -c 300000 /dev/zero | tr '\\0' x; exit 1"));

        // Then
        assertThat(fixture.log)
                .contains("BUILD SYSTEM Only the first 10000 lines of the output are stored.", "BUILD STDOUT line 12000")
                .hasSizeLessThan(10_030);
        assertThat(reason(outcome)).doesNotContain("line 12000").hasSizeLessThan(1_000);
    }

    @Test
    void cancellationKillsTheProcesses() throws IOException {
        // Given
        RevisionSpec plan = plan(fixture.repository.commit(), "langgraph.json", "sleep 1000 & (setsid sleep 1000 &) ; wait");
        Cancellable step = engine.prepare(plan, (_, _, _) -> {
        }).subscribe().with(_ -> {
        });
        await().atMost(LocalEngineFixture.TIMEOUT).until(() -> fixture.processes(plan).size() >= 3);

        // When
        step.cancel();

        // Then
        await().atMost(LocalEngineFixture.TIMEOUT).until(() -> fixture.processes(plan).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = { "rm langgraph.json; ln -s /etc/passwd langgraph.json",
            "mkdir sub; mv langgraph.json ../elsewhere.json; ln -s ../../elsewhere.json langgraph.json", "rm langgraph.json" })
    void rejectsAConfigurationFileReplacedByALink(String install) throws IOException {
        // Given
        String commit = fixture.repository.commit();

        // When
        Outcome outcome = fixture.prepare(engine, plan(commit, "langgraph.json", install));

        // Then
        assertThat(reason(outcome)).contains("has no configuration file \"langgraph.json\"");
    }

    @ParameterizedTest
    @CsvSource({ "ln -s /etc/passwd agent.mjs, graphs.chat must name a file inside the application",
            "echo x > ../agent.mjs; ln -s ../agent.mjs agent.mjs, graphs.chat must name a file inside the application",
            "touch agent.mjs; ln -s /etc/passwd .env, env names the file \".env\"" })
    void rejectsLinksOutOfTheApplication(String install, String expected) throws IOException {
        // Given
        String commit = fixture.repository
                .file("langgraph.json", "{\"graphs\": {\"chat\": \"./agent.mjs:graph\"}, \"env\": \".env\"}").commit();

        // When
        Outcome outcome = fixture.prepare(engine, plan(commit, "langgraph.json", install));

        // Then
        assertThat(reason(outcome)).contains(expected).doesNotContain("root");
    }

    @Test
    void endlessOutputIsStoppedAndTruncated() throws IOException {
        // Given
        String commit = fixture.repository.commit();
        fixture.settings.commandTimeout = Duration.ofSeconds(1);

        // When
        RevisionSpec plan = plan(commit, "langgraph.json", "yes $SECRET");
        Outcome outcome = fixture.prepare(engine, plan);

        // Then
        assertThat(reason(outcome)).contains("did not end within 1 s").doesNotContain("hush-hush");
        assertThat(fixture.log).hasSizeLessThan(10_030);
        assertThat(fixture.processes(plan)).isEmpty();
    }

    /** Returns a unique command that ends by itself. */
    private static String sleep() {
        return "sleep 60." + ThreadLocalRandom.current().nextInt(1_000_000_000);
    }

    private static boolean runs(String command) {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info().commandLine().filter(line -> line.contains(command)).isPresent());
    }

    private RevisionSpec plan(String commit, String path, @Nullable String install) {
        return fixture.plan(deployment, 1, 1, commit, path, install, Map.of("SECRET", "hush-hush"));
    }

    private static String reason(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Failed.class);
        return ((Failed) outcome).reason();
    }
}
