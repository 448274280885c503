package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.controlplane.engine.Observation;
import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.engine.Outcome.Done;
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.local.storage.FreePort;

/** Fault F27: what a control plane that has just begun finds of the one before, and what not any more. */
class AdoptionTest {

    @TempDir
    private Path directory;
    private EngineGround ground;
    private LocalEngine engine;
    private final int port = FreePort.find();
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
    void aRestartedControlPlaneFindsWhatRuns() throws Exception {
        // Given
        Plan plan = deployed();
        String pid = ground.get(port, "/pid").body();

        // When: another one, which knows only the folder; even when nothing was written down of the process
        LocalEngine restarted = ground.engine();
        Observation observed = ground.observe(restarted, plan);
        Outcome again = ground.start(restarted, plan);

        // Then
        assertThat(observed).isInstanceOf(Observation.Serving.class);
        assertThat(again).isInstanceOf(Done.class);
        assertThat(ground.get(port, "/pid").body()).isEqualTo(pid);
        assertThat(ground.processes(plan)).hasSize(1);
    }

    @Test
    void whatIsNotedOfAProcessIsNotBelieved() throws Exception {
        // Given
        Plan plan = deployed();
        String pid = ground.get(port, "/pid").body();
        Path note = ground.folder(plan).resolve("process");
        assertThat(note).hasContent(pid);

        for (String noted : List.of(Long.toString(ProcessHandle.current().pid()), "4194304", "no number", "")) {
            // When
            Files.writeString(note, noted);

            // Then: it is found all the same, and not started a second time
            assertThat(ground.observe(engine, plan)).isInstanceOf(Observation.Serving.class);
            assertThat(note).hasContent(pid);
        }
        Files.delete(note);
        assertThat(ground.observe(engine, plan)).isInstanceOf(Observation.Serving.class);
        assertThat(ground.processes(plan)).hasSize(1);
    }

    @Test
    void whatEndedMeanwhileIsToldByTheFirstLookAndStartedAgain() throws Exception {
        // Given: a control plane that is gone, and an application that ended after it
        Plan plan = deployed();
        String pid = ground.get(port, "/pid").body();
        engine.abandon();
        ProcessHandle application = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        application.destroyForcibly();
        application.onExit().join();

        // When
        LocalEngine restarted = ground.engine();
        Observation first = ground.observe(restarted, plan);

        // Then
        assertThat(first).isInstanceOfSatisfying(Observation.Failing.class,
                failing -> assertThat(failing.reason()).startsWith("The application ended, and is being started again (1)."));
        await().atMost(EngineGround.PATIENCE).until(() -> ground.observe(restarted, plan) instanceof Observation.Serving);
        assertThat(ground.get(port, "/pid").body()).isNotEqualTo(pid);
        assertThat(ground.processes(plan)).hasSize(1);
    }

    private Plan deployed() throws IOException {
        Plan plan = ground.plan(deployment, 1, port, ground.repository.commit());
        assertThat(ground.prepare(engine, plan)).isInstanceOf(Done.class);
        assertThat(ground.start(engine, plan)).isInstanceOf(Done.class);
        return plan;
    }
}
