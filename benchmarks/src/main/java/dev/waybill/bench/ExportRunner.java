package dev.waybill.bench;

import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.BulkExportProgress;
import dev.waybill.common.api.export.BulkExportResponse;
import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.common.api.export.CreateBulkExportRequest;
import dev.waybill.local.client.Bucket;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.storage.Folders;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.Progress;

/** Runs exports to one prefix of the stack's bucket. */
final class ExportRunner {

    private final BenchmarkContext bench;
    private final String prefix;
    private final UUID destination;

    ExportRunner(BenchmarkContext bench, String prefix) {
        this(bench, prefix, bench.stack.s3().endpoint());
    }

    /** @param endpoint the endpoint of the bucket */
    ExportRunner(BenchmarkContext bench, String prefix, URI endpoint) {
        this.bench = bench;
        this.prefix = prefix;
        this.destination = bench.exporter.destination("bench " + prefix, prefix, bench.stack, endpoint);
    }

    /** Session, range and fields of an export. */
    record ExportSpec(UUID session, Instant start, Instant end, @Nullable List<String> fields) {

        ExportSpec(UUID session, Instant start, Instant end) {
            this(session, start, end, null);
        }
    }

    /**
     * Result of exports that ran concurrently.
     *
     * @param seconds time from the first request until all had ended
     */
    record ExportResult(List<UUID> ids, long rows, CpuUsage usage, double seconds) {

        long bytes() {
            return usage.bytes();
        }
    }

    UUID start(ExportSpec spec) {
        return bench.exporter.start(new CreateBulkExportRequest(destination, spec.session(), spec.start(), spec.end(), null,
                null, spec.fields(), null, "v2_beta", "zstandard"));
    }

    /** Runs exports concurrently and waits until all have ended. */
    ExportResult run(ExportSpec... specs) {
        CpuStopwatch watch = bench.startStopwatch(ServiceKind.EXPORT);
        long startNanos = System.nanoTime();
        List<UUID> ids = new ArrayList<>();
        for (ExportSpec spec : specs) {
            ids.add(start(spec));
        }
        long rows = 0;
        long bytes = 0;
        for (UUID id : ids) {
            BulkExportProgress progress = awaitCompleted(id).progress();
            rows += progress.rowsExported();
            bytes += progress.bytesExported();
        }
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        return new ExportResult(ids, rows, watch.stop(bytes), seconds);
    }

    BulkExportResponse awaitCompleted(UUID id) {
        BulkExportResponse ended = bench.exporter.awaitEnd(id, Progress.NONE);
        if (ended.status() != BulkExportStatus.COMPLETED) {
            throw new IllegalStateException("the export did not complete: " + ended + bench.exporter.runs(id));
        }
        return ended;
    }

    /** Downloads an export's files into the folder. */
    List<Path> download(UUID exportId, Path folder) {
        try (Bucket bucket = bench.stack.bucket()) {
            return ExportedFiles.download(bucket, prefix, exportId, folder).files();
        }
    }

    /** Deletes all files of the prefix. */
    void deleteFiles() {
        Folders.delete(bench.stack.s3().directory().resolve(Stack.BUCKET).resolve(prefix));
    }
}
