package dev.waybill.export.execution;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import dev.waybill.common.filter.FilterParser;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.export.destination.DestinationOpener;
import dev.waybill.export.destination.OpenDestination;
import dev.waybill.export.parquet.Compression;
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.parquet.ExportedSession;
import dev.waybill.export.parquet.FileSettings;
import dev.waybill.export.parquet.ParquetRunWriter;
import dev.waybill.export.parquet.WrittenFile;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.AttemptService;
import dev.waybill.export.run.ExportLayout;
import dev.waybill.export.run.ExportLimitsConfig;
import dev.waybill.export.run.ExportRunFile;
import dev.waybill.export.run.FileLimits;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.trace.ReadLimits;
import dev.waybill.export.trace.ReadResult;
import dev.waybill.export.trace.RowHandler;
import dev.waybill.export.trace.RunRow;
import dev.waybill.export.trace.Snapshot;
import dev.waybill.export.trace.TraceQuery;
import dev.waybill.export.trace.TraceReader;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * Executes one attempt: reads rows, writes and commits files (docs/architecture.md "Export"). An attempt opens its
 * destination once and uses the same credentials until it ends. One thread reads, encodes and uploads, so that a slow store
 * slows the reading and memory use stays constant.
 */
@Singleton
class RunExecutor {

    private final DestinationOpener destinations;
    private final AttemptService attempts;
    private final UploadCleanup uploads;
    private final CrashPoint crash;
    private final Blocking blocking;
    private final TraceReader traces;
    private final String version;
    private final FileLimits files;
    private final ReadLimits limits;
    private final long bytesPerSecond;

    RunExecutor(DestinationOpener destinations, AttemptService attempts, UploadCleanup uploads, CrashPoint crash,
            Blocking blocking, TraceReader traces, ExecutionConfig config, ExportLimitsConfig limits, FileLimits files,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.destinations = destinations;
        this.attempts = attempts;
        this.uploads = uploads;
        this.crash = crash;
        this.blocking = blocking;
        this.traces = traces;
        this.version = version;
        this.files = files;
        this.limits = ReadLimits.of(limits.runTimeout(), files.maxRowBytes());
        this.bytesPerSecond = config.readBytesPerSecond();
    }

    /** Produces the limits for injection here and in previews. */
    @Produces
    @Singleton
    static FileLimits fileLimits(ExecutionConfig config,
            @ConfigProperty(name = "waybill.lake.bucket") Optional<String> lakeBucket) {
        return config.fileLimits(Runtime.getRuntime().maxMemory(), lakeBucket.isPresent());
    }

    /** Completes the run, from its rows or from the commit record of an earlier attempt. */
    Uni<Void> execute(Attempt attempt, AttemptProgress progress) {
        crash.reached(attempt.lease().tenantId(), CrashPoint.Step.STARTED);
        List<ExportRunFile> committed = attempt.committed();
        return committed == null
                ? uploads.abortUploadsOfEarlierAttempts(attempt)
                        .chain(() -> open(attempt))
                        .chain(destination -> write(attempt, destination, progress))
                : open(attempt)
                        .chain(destination -> completeCommit(attempt, committed, destination, progress));
    }

    private Uni<OpenDestination> open(Attempt attempt) {
        return destinations.open(attempt.lease().tenantId(), attempt.destinationId());
    }

    // Until all files are written, the writer closes the destination: its thread may still abort uploads after a cancellation.
    private Uni<Void> write(Attempt attempt, OpenDestination destination, AttemptProgress progress) {
        return blocking.callOnPlatformThread(() -> writeOrClose(attempt, destination, progress))
                .chain(files -> finish(attempt, files, destination, progress)
                        .onTermination().invoke(destination::close));
    }

    private Uni<Void> completeCommit(Attempt attempt, List<ExportRunFile> committed, OpenDestination destination,
            AttemptProgress progress) {
        progress.commitStarted();
        return publish(attempt, committed, destination)
                .onTermination().invoke(destination::close);
    }

    private Uni<Void> finish(Attempt attempt, List<ExportRunFile> files, OpenDestination destination,
            AttemptProgress progress) {
        if (files.isEmpty()) {
            return attempts.completeEmpty(attempt.lease(), progress.snapshot());
        }
        progress.commitStarted();
        return attempts.commit(attempt.lease(), files, progress.snapshot())
                .invoke(() -> crash.reached(attempt.lease().tenantId(), CrashPoint.Step.COMMITTED))
                .chain(() -> publish(attempt, files, destination));
    }

    // Makes the files visible by completing their uploads one by one. A repetition completes the remaining uploads.
    private Uni<Void> publish(Attempt attempt, List<ExportRunFile> files, OpenDestination destination) {
        return complete(attempt, destination.store(), files)
                .invoke(() -> crash.reached(attempt.lease().tenantId(), CrashPoint.Step.PUBLISHED))
                .chain(verified -> attempts.complete(attempt.lease(), verified));
    }

    /** Returns the keys of the files whose size was verified. */
    private Uni<List<String>> complete(Attempt attempt, ObjectStore store, List<ExportRunFile> files) {
        return Multi.createFrom().iterable(files)
                .onItem().transformToUniAndConcatenate(file -> store.complete(file.upload()))
                .invoke(() -> crash.reached(attempt.lease().tenantId(), CrashPoint.Step.FILE_VISIBLE))
                .filter(ObjectStore.CompletedUpload::verified)
                .map(ObjectStore.CompletedUpload::key)
                .collect().asList();
    }

    // After a failure or cancellation this thread still aborts its uploads, so the destination is closed here and nowhere else.
    private List<ExportRunFile> writeOrClose(Attempt attempt, OpenDestination destination, AttemptProgress progress)
            throws IOException, SQLException, InterruptedException {
        boolean isFinished = false;
        try {
            List<ExportRunFile> written = writeFiles(attempt, destination.store(), progress);
            isFinished = true;
            return written;
        } finally {
            if (!isFinished) {
                destination.close();
            }
        }
    }

    // Returns the files of the day with all parts uploaded; empty for a day without rows.
    private List<ExportRunFile> writeFiles(Attempt attempt, ObjectStore store, AttemptProgress progress)
            throws IOException, SQLException, InterruptedException {
        ExportLayout layout = attempt.layout();
        ExportSchema schema = ExportSchema.named(attempt.exportFields(), layout.version());
        ExportedSession origin = new ExportedSession(layout.tenantId(), layout.sessionId(), attempt.sessionName());
        try (UploadingSink sink = new UploadingSink(store, attempt, progress);
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
                attempt.checkpoints().stream().map(ExportRunFile::checkpoint).map(Objects::requireNonNull).toList());
    }

    private FileSettings settings(Attempt attempt) {
        Compression compression = Compression.of(attempt.compression()).orElseThrow();
        return new FileSettings(compression, version, files.maxFileBytes(), files.maxRowGroupBytes(),
                Map.of("waybill.export_id", attempt.exportId().toString()));
    }
}
