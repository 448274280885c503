package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.bench.TraceTable;
import dev.waybill.local.client.Bucket;
import dev.waybill.local.client.WaybillException;
import dev.waybill.local.tour.ExportRequest;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.Exporter;
import dev.waybill.local.tour.ParquetReader;
import dev.waybill.local.tour.Progress;

/** A session with a day full of runs, and how a test finds out whether an export of it is whole. */
record ManyRuns(Workspace workspace, String destination, UUID session) {

    private static final LocalDate DAY = LocalDate.of(2026, 3, 2);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    static ManyRuns add(Workspace workspace, int count) {
        UUID session = new TraceTable(workspace.running().stack.superuserUrl(), UUID.fromString(workspace.tenantId()))
                .add(workspace.name(), DAY, count);
        return new ManyRuns(workspace, workspace.destination(), session);
    }

    /** Orders an export of them all, of that worker. */
    String order(Exporter exporter) {
        return exporter.start(new ExportRequest(destination, session.toString(), DAY.atStartOfDay(ZoneOffset.UTC).toInstant(),
                DAY.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant(), "v2_beta", "none"));
    }

    /** The same of a worker that may first have to find out that its connections are gone. */
    String orderOnceItAnswers(Exporter exporter) {
        return await().atMost(PATIENCE).ignoreExceptions().until(() -> order(exporter), id -> !id.isEmpty());
    }

    /**
     * Orders an export of them all of a worker that the debugger stops at that point: perhaps before it has answered.
     *
     * @return the export, which it works on
     */
    String orderAndStop(FaultyWorker worker, Debugger debugger, CodePoint point) {
        debugger.arm(point);
        Exporter exporter = worker.exporter(workspace.client());
        Thread.ofVirtual().start(() -> orderUnanswered(exporter));
        debugger.awaitStop(point);
        return String.valueOf(TableText.value("SELECT id FROM export.bulk_exports WHERE tenant_id = '" + workspace.tenantId()
                + "' ORDER BY created_at DESC, id DESC LIMIT 1"));
    }

    /** The export is completed, its files are those of its manifest and hold every run once, and no upload is open. */
    void requireWhole(String export, Path folder) {
        awaitEnd(export);
        JsonNode ended = workspace.awaitCompleted(export);
        ExportedFiles files = workspace.download(export, folder);
        List<String> ids = TableText.query("SELECT id FROM trace.runs WHERE session_id = '" + session
                + "' ORDER BY id::text COLLATE \"C\"");
        assertThat(ended.at("/progress/rows_exported").asInt()).isEqualTo(ids.size());
        try (ParquetReader reader = new ParquetReader()) {
            assertThat(reader.query(files.files(), "SELECT id FROM runs ORDER BY id")).extracting(List::getFirst)
                    .isEqualTo(ids);
        }
        try (Bucket bucket = workspace.running().bucket()) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(bucket.countIncompleteUploads(workspace.name() + "/")).isZero());
        }
    }

    /** The error of an attempt at the export's only run, by its code. */
    String error(String export, int attempt) {
        return workspace.exporter().runs(export).at("/0/errors/" + attempt + "/code").asText();
    }

    // While PostgreSQL comes back, questions may still meet connections that are gone.
    private void awaitEnd(String export) {
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> workspace.exporter().awaitEnd(export, Progress.NONE), JsonNode::isObject);
    }

    private void orderUnanswered(Exporter exporter) {
        try {
            order(exporter);
        } catch (UncheckedIOException | WaybillException _) {
            // The export is there; that the worker says so is not waited for.
        }
    }
}
