package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import dev.waybill.client.WaybillException;
import dev.waybill.common.api.export.BulkExportResponse;
import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.common.api.export.RunError;
import dev.waybill.local.client.Bucket;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.Exporter;
import dev.waybill.local.tour.ParquetReader;
import dev.waybill.local.tour.Progress;
import dev.waybill.local.traces.TraceTable;

/** A session with many runs of one day; verifies exports of it. */
record ManyRuns(Workspace workspace, UUID destination, UUID session) {

    private static final LocalDate DAY = LocalDate.of(2026, 3, 2);
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    static ManyRuns add(Workspace workspace, int count) {
        UUID session = new TraceTable(workspace.running().stack.superuserUrl(), UUID.fromString(workspace.tenantId()))
                .add(workspace.name(), DAY, count);
        return new ManyRuns(workspace, workspace.destination(), session);
    }

    /** Creates an export of all runs at a worker. */
    UUID order(Exporter exporter) {
        return exporter.start(new CreateBulkExportRequest(destination, session, DAY.atStartOfDay(ZoneOffset.UTC).toInstant(),
                DAY.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant(), null, null, null, null, "v2_beta", "none"));
    }

    /** Creates an export of all runs at a worker and retries failures, for example of broken connections. */
    UUID orderWithRetries(Exporter exporter) {
        return await().atMost(TIMEOUT).ignoreExceptions().until(() -> order(exporter), Objects::nonNull);
    }

    /** Creates an export at a worker, waits until the debugger suspends the worker at a point, and returns the export's id. */
    UUID orderAndStop(FaultyWorker worker, Debugger debugger, CodePoint point) {
        debugger.arm(point);
        Exporter exporter = worker.exporter(workspace.client());
        Thread.ofVirtual().start(() -> orderIgnoringFailure(exporter));
        debugger.awaitStop(point);
        return UUID.fromString(TableText.value("SELECT id FROM export.bulk_exports WHERE tenant_id = '" + workspace.tenantId()
                + "' ORDER BY created_at DESC, id DESC LIMIT 1"));
    }

    /** Asserts that the export is Completed, its files contain every run once, and no incomplete upload remains. */
    void assertComplete(UUID export, Path folder) {
        awaitEnd(export);
        BulkExportResponse finished = workspace.awaitCompleted(export);
        ExportedFiles files = workspace.download(export, folder);
        List<String> ids = TableText.query("SELECT id FROM trace.runs WHERE session_id = '" + session
                + "' ORDER BY id::text COLLATE \"C\"");
        assertThat(finished.progress().rowsExported()).isEqualTo(ids.size());
        try (ParquetReader reader = new ParquetReader()) {
            assertThat(reader.query(files.files(), "SELECT id FROM runs ORDER BY id")).extracting(List::getFirst)
                    .isEqualTo(ids);
        }
        try (Bucket bucket = workspace.running().bucket()) {
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(bucket.countIncompleteUploads(workspace.name() + "/")).isZero());
        }
    }

    /** Returns the error code of an attempt of the export's only run. */
    String error(UUID export, int attempt) {
        RunError error = workspace.exporter().runs(export).getFirst().errors().get(Integer.toString(attempt));
        return error == null ? "" : error.code();
    }

    // While PostgreSQL recovers, requests may fail because of broken connections.
    private void awaitEnd(UUID export) {
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .until(() -> workspace.exporter().awaitEnd(export, Progress.NONE), Objects::nonNull);
    }

    private void orderIgnoringFailure(Exporter exporter) {
        try {
            order(exporter);
        } catch (UncheckedIOException | WaybillException _) {
            // The worker may be killed before it responds.
        }
    }
}
