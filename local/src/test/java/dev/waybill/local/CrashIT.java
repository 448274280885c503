package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.bench.TraceTable;
import dev.waybill.local.client.Bucket;
import dev.waybill.local.client.RunsMultipart;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.ParquetReader;

/** kill -9 at any moment: what was promised holds once the service is back. */
class CrashIT {

    private static final LocalDate DAY = LocalDate.of(2026, 3, 2);
    private static final int RUNS = 20_000;
    private static final int KILLS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final RunningStack running = RunningStack.get();
    private final Workspace workspace = Workspace.create("crash");

    @TempDir
    private Path folder;

    @AfterEach
    void forget() {
        workspace.forgetRuns();
    }

    @Test
    void exportsOutliveTheDeathOfTheirServiceAtRandomMoments() throws InterruptedException {
        // Given
        long seed = Long.getLong("waybill.crash.seed", System.nanoTime());
        System.out.println("CrashIT: repeat with -Dwaybill.crash.seed=" + seed);
        Random random = new Random(seed);
        UUID session = manyRuns();
        List<String> exports = new ArrayList<>();

        // When
        for (int kill = 0; kill < KILLS; kill++) {
            if (exports.isEmpty() || hasEnded(exports.getLast())) {
                exports.add(order(session, kill % 2 == 0 ? "none" : "zstandard"));
            }
            awaitAttempt(exports.getLast());
            Thread.sleep(random.nextInt(1200));
            restart(ServiceKind.EXPORT);
        }

        // Then
        exports.forEach(this::requireWhole);
    }

    @Test
    void anExportOutlivesTheDeathOfItsServiceWithPartsOnTheirWay() throws InterruptedException {
        // Given: a store that has taken some parts and is silent now
        UUID session = manyRuns();
        String export = order(session, "none");
        awaitAttempt(export);
        await().atMost(PATIENCE).until(() -> openUploads() > 0 || hasEnded(export));
        running.stack.s3().pause();

        // When
        ServiceProcess service = running.stack.service(ServiceKind.EXPORT);
        service.kill();
        running.stack.s3().resume();
        service.start();
        service.awaitReady();

        // Then
        requireWhole(export);
    }

    @RepeatedTest(2)
    void runsThatWereAnsweredOutliveTheDeathOfTheIntake() throws InterruptedException {
        // Given
        List<String> answered = new CopyOnWriteArrayList<>();
        Thread client = Thread.ofVirtual().start(() -> sendUntilRefused(answered));
        await().atMost(PATIENCE).until(() -> answered.size() > 500);

        // When
        restart(ServiceKind.EXPERIMENT);
        client.join();

        // Then
        assertThat(kept()).containsAll(answered);
    }

    private UUID manyRuns() {
        return new TraceTable(running.stack.superuserUrl(), UUID.fromString(workspace.tenantId()))
                .add("crash-" + UUID.randomUUID(), DAY, RUNS);
    }

    private String order(UUID session, String compression) {
        return workspace.order(session.toString(), DAY.atStartOfDay(ZoneOffset.UTC).toInstant(),
                DAY.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant(), "v2_beta", compression);
    }

    private boolean hasEnded(String export) {
        return workspace.exporter().get(export).get("status").textValue().equals("Completed");
    }

    /** Returns when a run of the export is worked on, or nothing is left to do. */
    private void awaitAttempt(String export) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(() -> hasEnded(export)
                || workspace.exporter().runs(export).valueStream()
                        .anyMatch(run -> run.get("status").textValue().equals("Running")));
    }

    private void restart(ServiceKind kind) {
        ServiceProcess service = running.stack.service(kind);
        service.kill();
        service.start();
        service.awaitReady();
    }

    private void requireWhole(String export) {
        JsonNode ended = workspace.awaitCompleted(export);
        ExportedFiles files = workspace.download(export, folder);
        assertThat(ended.at("/progress/rows_exported").asInt()).isEqualTo(RUNS);
        assertThat(files.rows()).isEqualTo(RUNS);
        try (ParquetReader reader = new ParquetReader()) {
            assertThat(reader.query(files.files(), "SELECT count(*)::INT, count(DISTINCT id)::INT FROM runs"))
                    .containsExactly(List.of(RUNS, RUNS));
        }
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(openUploads()).isZero());
    }

    private int openUploads() {
        try (Bucket bucket = running.bucket()) {
            return bucket.openUploads(workspace.name() + "/");
        }
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
