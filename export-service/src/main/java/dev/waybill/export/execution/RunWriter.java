package dev.waybill.export.execution;

import jakarta.enterprise.inject.Produces;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import dev.waybill.common.filter.FilterParser;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.export.destination.OpenDestination;
import dev.waybill.export.parquet.Compression;
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.parquet.ExportedSession;
import dev.waybill.export.parquet.FileSettings;
import dev.waybill.export.parquet.ParquetRunWriter;
import dev.waybill.export.parquet.WrittenFile;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.ExportLayout;
import dev.waybill.export.run.ExportLimits;
import dev.waybill.export.run.FileLimits;
import dev.waybill.export.run.RunFile;
import dev.waybill.export.trace.ReadLimits;
import dev.waybill.export.trace.ReadResult;
import dev.waybill.export.trace.RowHandler;
import dev.waybill.export.trace.RunRow;
import dev.waybill.export.trace.Snapshot;
import dev.waybill.export.trace.TraceQuery;
import dev.waybill.export.trace.TraceReader;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.mutiny.Uni;

/**
 * Reads the rows of a day and uploads its files without completing the uploads. One thread reads, encodes and uploads, so a
 * slow store slows the reading and memory use stays constant.
 */
@Singleton
class RunWriter {

    private final Blocking blocking;
    private final TraceReader traces;
    private final CrashPoint crash;
    private final String version;
    private final ReadLimits limits;
    private final long fileBytes;
    private final long rowGroupBytes;
    private final long bytesPerSecond;

    RunWriter(Blocking blocking, TraceReader traces, CrashPoint crash, ExecutionConfig config,
            ExportLimits limits, FileLimits files,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.blocking = blocking;
        this.traces = traces;
        this.crash = crash;
        this.version = version;
        this.bytesPerSecond = config.maxReadRate().map(MemorySize::asLongValue).orElse(0L);
        this.limits = ReadLimits.of(limits.runTimeout(), files.maxRowBytes());
        this.rowGroupBytes = files.maxRowGroupBytes();
        this.fileBytes = files.maxFileBytes();
    }

    /** Produces the limits for injection here and in previews. */
    @Produces
    @Singleton
    static FileLimits fileLimits(ExecutionConfig config) {
        return config.fileLimits();
    }

    /** Returns the files of the day with all parts uploaded; empty for a day without rows. */
    Uni<List<RunFile>> write(Attempt attempt, OpenDestination destination, AttemptProgress progress) {
        return blocking.callOnPlatformThread(() -> writeOrClose(attempt, destination, progress));
    }

    // After a failure or cancellation this thread still aborts its uploads, so the destination is closed here and nowhere else.
    private List<RunFile> writeOrClose(Attempt attempt, OpenDestination destination, AttemptProgress progress)
            throws IOException, SQLException, InterruptedException {
        boolean isFinished = false;
        try {
            List<RunFile> files = files(attempt, destination, progress);
            isFinished = true;
            return files;
        } finally {
            if (!isFinished) {
                destination.close();
            }
        }
    }

    private List<RunFile> files(Attempt attempt, OpenDestination destination, AttemptProgress progress)
            throws IOException, SQLException, InterruptedException {
        ExportLayout layout = attempt.layout();
        ExportSchema schema = ExportSchema.named(attempt.exportFields(), layout.version());
        ExportedSession origin = new ExportedSession(layout.tenantId(), layout.sessionId(), attempt.sessionName());
        try (UploadingSink sink = new UploadingSink(destination.store(), attempt, progress);
                ParquetRunWriter writer = new ParquetRunWriter(schema, origin, settings(attempt), sink,
                        attempt.checkpoints().size())) {
            progress.resumeAfter(attempt.checkpoints());
            Rows rows = new Rows(attempt, writer, sink, progress);
            ReadResult read = traces.read(query(attempt, schema), Thread.currentThread()::isInterrupted, rows);
            List<WrittenFile> written = writer.finish(read.rows());
            crash.reached(attempt.lease().tenantId(), CrashPoint.Step.PARTS_UPLOADED);
            return Stream.concat(attempt.checkpoints().stream(), sink.files(written).stream()).toList();
        }
    }

    /** Writes the rows of one attempt and reports each finished file with its checkpoint. */
    private final class Rows implements RowHandler {

        private final Attempt attempt;
        private final ParquetRunWriter writer;
        private final UploadingSink sink;
        private final AttemptProgress progress;
        private final ReadRateLimit readRate = ReadRateLimit.of(bytesPerSecond);
        private int finishedFiles;
        private long idsHigh;
        private long idsLow;

        Rows(Attempt attempt, ParquetRunWriter writer, UploadingSink sink, AttemptProgress progress) {
            this.attempt = attempt;
            this.writer = writer;
            this.sink = sink;
            this.progress = progress;
        }

        @Override
        public void started(Snapshot seen) {
            progress.snapshotTaken(seen);
        }

        @Override
        public void row(RunRow row) throws IOException {
            writer.row(row);
            progress.row();
            idsHigh ^= row.idHigh();
            idsLow ^= row.idLow();
            if (writer.completeFiles() > finishedFiles) {
                finishedFiles++;
                progress.fileFinished(sink.file(writer.lastFile())
                        .withCheckpoint(row.position(), new UUID(idsHigh, idsLow), progress.snapshot()));
                idsHigh = 0;
                idsLow = 0;
                crash.reached(attempt.lease().tenantId(), CrashPoint.Step.FILE_FINISHED);
            }
            readRate.acquire(row.size());
        }
    }

    private TraceQuery query(Attempt attempt, ExportSchema schema) {
        String filter = attempt.filter();
        return new TraceQuery(attempt.layout().tenantId(), attempt.layout().sessionId(), attempt.startTime(),
                attempt.endTime(), schema.sources(), filter == null ? null : FilterParser.parse(filter), limits,
                attempt.checkpoints().stream().map(RunFile::checkpoint).map(Objects::requireNonNull).toList());
    }

    private FileSettings settings(Attempt attempt) {
        Compression compression = Compression.of(attempt.compression()).orElseThrow();
        return new FileSettings(compression, version, fileBytes, rowGroupBytes,
                Map.of("waybill.export_id", attempt.exportId().toString()));
    }
}
