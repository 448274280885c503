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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.engine.Outcome.Done;
import dev.waybill.controlplane.engine.Outcome.Failed;
import dev.waybill.controlplane.engine.Plan;
import io.smallrye.mutiny.subscription.Cancellable;

/** What commands may try. */
class HostileCommandTest {

    @TempDir
    private Path directory;
    private EngineGround ground;
    private LocalEngine engine;
    private Launch launch;
    private final UUID deployment = UUID.randomUUID();

    @BeforeEach
    void start() throws IOException {
        ground = new EngineGround(directory);
        engine = ground.engine();
        launch = new Launch(ground.settings, System.getenv());
    }

    @AfterEach
    void stop() {
        ground.close();
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
    void whoThrowsItsMarkAwayHoldsNobodyUp() throws Exception {
        // Given: one in the command's group, and one that left it and has the output open
        String commit = ground.repository.commit();
        String group = sleep();
        String away = sleep();

        // When
        Plan plan = plan(commit, "langgraph.json", "env -i " + group + " & env -i setsid " + away + " 2>/dev/null & true");
        Outcome outcome = ground.prepare(engine, plan);

        // Then
        assertThat(outcome).isInstanceOf(Done.class);
        await().atMost(EngineGround.PATIENCE).until(() -> !runs(group));
        if (launch.canBeAlone()) {
            await().atMost(EngineGround.PATIENCE).until(() -> !runs(away));
        }
    }

    @Test
    void commandsSeeNoProcessesButTheirOwn() throws Exception {
        // Given
        assumeTrue(launch.canBeAlone());
        String commit = ground.repository.commit();

        // When
        Plan plan = plan(commit, "langgraph.json", "cat /proc/[0-9]*/comm > names");
        Outcome outcome = ground.prepare(engine, plan);

        // Then
        assertThat(outcome).isInstanceOf(Done.class);
        assertThat(Files.readAllLines(ground.build(plan).resolve("repository/names"))).isNotEmpty().doesNotContain("java");
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
        assertThat(ground.log).contains("BUILD SYSTEM Only the first 100 lines are kept.", "BUILD STDOUT line 3000")
                .hasSizeLessThan(130);
        assertThat(reason(outcome)).doesNotContain("line 3000").hasSizeLessThan(1_000);
    }

    @Test
    void cancellingEndsWhatRuns() throws IOException {
        // Given
        Plan plan = plan(ground.repository.commit(), "langgraph.json", "sleep 1000 & (setsid sleep 1000 &) ; wait");
        Cancellable step = engine.prepare(plan, (_, _, _) -> {
        }).subscribe().with(_ -> {
        });
        await().atMost(EngineGround.PATIENCE).until(() -> ground.processes(plan).size() >= 3);

        // When
        step.cancel();

        // Then
        await().atMost(EngineGround.PATIENCE).until(() -> ground.processes(plan).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = { "rm langgraph.json; ln -s /etc/passwd langgraph.json",
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
    @CsvSource({ "ln -s /etc/passwd agent.mjs, graphs.chat must name a file inside the application",
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
        assertThat(ground.log).hasSizeLessThan(130);
        assertThat(ground.processes(plan)).isEmpty();
    }

    /** A command that no other test has; it ends by itself some time. */
    private static String sleep() {
        return "sleep 60." + ThreadLocalRandom.current().nextInt(1_000_000_000);
    }

    private static boolean runs(String command) {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info().commandLine().filter(line -> line.contains(command)).isPresent());
    }

    private Plan plan(String commit, String path, @Nullable String install) {
        return ground.plan(deployment, 1, 1, commit, path, install, Map.of("SECRET", "hush-hush"));
    }

    private static String reason(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Failed.class);
        return ((Failed) outcome).reason();
    }
}
