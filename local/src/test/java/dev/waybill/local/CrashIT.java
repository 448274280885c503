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

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.RunsMultipart;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;

/** kill -9 of the intake at any moment: what it has answered is there once it is back. */
class CrashIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final RunningStack running = RunningStack.get();
    private final Workspace workspace = Workspace.create("crash");

    @AfterEach
    void forget() {
        workspace.forgetRuns();
    }

    @RepeatedTest(2)
    void runsThatWereAnsweredOutliveTheDeathOfTheIntake() throws InterruptedException {
        // Given
        List<String> answered = new CopyOnWriteArrayList<>();
        Thread client = Thread.ofVirtual().start(() -> sendUntilRefused(answered));
        await().atMost(PATIENCE).until(() -> answered.size() > 500);

        // When
        restart();
        client.join();

        // Then
        assertThat(kept()).containsAll(answered);
    }

    private void restart() {
        ServiceProcess service = running.stack.service(ServiceKind.EXPERIMENT);
        service.kill();
        service.start();
        service.awaitReady();
    }

    private void sendUntilRefused(List<String> answered) {
        while (true) {
            List<JsonNode> runs = IntStream.range(0, 20)
                    .mapToObj(_ -> HandmadeRun.in("answered", Instant.parse("2026-03-02T10:00:00Z")).json())
                    .toList();
            RunsMultipart batch = new RunsMultipart();
            runs.forEach(batch::post);
            try {
                workspace.client().postRuns(running.address(ServiceKind.EXPERIMENT), batch);
            } catch (RuntimeException _) {
                // Whatever was not answered may be there or not.
                return;
            }
            runs.forEach(run -> answered.add(run.get("id").textValue()));
        }
    }

    private List<String> kept() {
        return TableText.query("SELECT id FROM trace.runs WHERE tenant_id = '" + workspace.tenantId() + "'");
    }
}
