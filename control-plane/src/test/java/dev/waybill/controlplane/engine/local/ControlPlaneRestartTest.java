package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.Engine.Outcome.Done;
import dev.waybill.controlplane.engine.RevisionSpec;

/** Fault F27: a restarted control plane finds running applications and detects ended ones. */
@Tag("full")
class ControlPlaneRestartTest extends LocalEngineScenario {

    @Test
    void restartedControlPlaneFindsTheProcess() throws Exception {
        // Given
        RevisionSpec plan = deployed();
        String pid = fixture.get(port, "/pid").body();

        // When: another control plane, which has only the folder
        LocalEngine restarted = fixture.engine();
        Observation observed = fixture.observe(restarted, plan);
        Outcome again = fixture.start(restarted, plan);

        // Then
        assertThat(observed).isInstanceOf(Observation.Serving.class);
        assertThat(again).isInstanceOf(Done.class);
        assertThat(fixture.get(port, "/pid").body()).isEqualTo(pid);
        assertThat(fixture.processes(plan)).hasSize(1);
    }

    @Test
    void recordedPidIsVerified() throws Exception {
        // Given
        RevisionSpec plan = deployed();
        String pid = fixture.get(port, "/pid").body();
        Path note = fixture.folder(plan).resolve("process");
        assertThat(note).hasContent(pid);

        for (String noted : List.of(Long.toString(ProcessHandle.current().pid()), "4194304", "no number", "")) {
            // When
            Files.writeString(note, noted);

            // Then: the process is found and not started a second time
            assertThat(fixture.observe(engine, plan)).isInstanceOf(Observation.Serving.class);
            assertThat(note).hasContent(pid);
        }
        Files.delete(note);
        assertThat(fixture.observe(engine, plan)).isInstanceOf(Observation.Serving.class);
        assertThat(fixture.processes(plan)).hasSize(1);
    }

    @Test
    void firstObservationRestartsAnEndedApplication() throws Exception {
        // Given: a control plane that stopped, and an application that ended after it
        RevisionSpec plan = deployed();
        String pid = fixture.get(port, "/pid").body();
        engine.detach();
        ProcessHandle application = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        application.destroyForcibly();
        application.onExit().join();

        // When
        LocalEngine restarted = fixture.engine();
        Observation first = fixture.observe(restarted, plan);

        // Then
        assertThat(first).isInstanceOfSatisfying(Observation.Failing.class,
                failing -> assertThat(failing.reason()).startsWith("The application ended and is being restarted (1)."));
        await().atMost(LocalEngineFixture.TIMEOUT).until(() -> fixture.observe(restarted, plan) instanceof Observation.Serving);
        assertThat(fixture.get(port, "/pid").body()).isNotEqualTo(pid);
        assertThat(fixture.processes(plan)).hasSize(1);
    }

    private RevisionSpec deployed() throws IOException {
        RevisionSpec plan = fixture.plan(deployment, 1, port, fixture.repository.commit());
        assertThat(fixture.prepare(engine, plan)).isInstanceOf(Done.class);
        assertThat(fixture.start(engine, plan)).isInstanceOf(Done.class);
        return plan;
    }
}
