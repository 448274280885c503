package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.client.RunsMultipart;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;

/** Kills the intake: acknowledged runs must exist after its restart. */
@Tag("full")
class CrashIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final RunningStack running = RunningStack.get();
    private final Workspace workspace = Workspace.create("crash");

    @AfterEach
    void deleteRuns() {
        workspace.deleteRuns();
    }

    @RepeatedTest(2)
    void acknowledgedRunsSurviveKillOfIntake() throws InterruptedException {
        // Given
        List<String> acknowledged = new CopyOnWriteArrayList<>();
        Thread client = Thread.ofVirtual().start(() -> sendUntilFailure(acknowledged));
        await().atMost(TIMEOUT).until(() -> acknowledged.size() > 500);

        // When
        restart();
        client.join();

        // Then
        assertThat(storedIds()).containsAll(acknowledged);
    }

    private void restart() {
        ServiceProcess service = running.stack.service(ServiceKind.EXPERIMENT);
        service.kill();
        service.start();
        service.awaitReady();
    }

    private void sendUntilFailure(List<String> acknowledged) {
        while (true) {
            List<JsonNode> runs = IntStream.range(0, 20)
                    .mapToObj(_ -> HandmadeRun.in("acknowledged", Instant.parse("2026-03-02T10:00:00Z")).json())
                    .toList();
            RunsMultipart batch = new RunsMultipart();
            runs.forEach(batch::post);
            try {
                workspace.client().traces(running.address(ServiceKind.EXPERIMENT)).postRunsMultipart(batch);
            } catch (RuntimeException _) {
                // Runs of a failed request may be stored or not.
                return;
            }
            runs.forEach(run -> acknowledged.add(run.get("id").textValue()));
        }
    }

    private List<String> storedIds() {
        return TableText.query("SELECT id FROM trace.runs WHERE tenant_id = '" + workspace.tenantId() + "'");
    }
}
