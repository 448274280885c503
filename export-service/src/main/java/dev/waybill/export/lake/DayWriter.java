package dev.waybill.export.lake;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

import dev.waybill.export.execution.ExecutionConfig;
import dev.waybill.export.execution.ReadRateLimit;
import dev.waybill.export.parquet.Compression;
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.parquet.ExportedSession;
import dev.waybill.export.parquet.FileSettings;
import dev.waybill.export.parquet.ParquetRunWriter;
import dev.waybill.export.run.ExportLimitsConfig;
import dev.waybill.export.run.FileLimits;
import dev.waybill.export.trace.ReadLimits;
import dev.waybill.export.trace.ReadResult;
import dev.waybill.export.trace.RowHandler;
import dev.waybill.export.trace.RunRow;
import dev.waybill.export.trace.SessionsQuery;
import dev.waybill.export.trace.Snapshot;
import dev.waybill.export.trace.TraceReader;

/** Reads the runs of a day in one snapshot and uploads them as Parquet files, sorted by session, start time and id. */
@Singleton
class DayWriter {

    /** Small row groups, so that readers skip sessions, times and values. */
    private static final long ROW_GROUP_BYTES = 8L << 20;
    private static final long ROW_GROUP_ROWS = 20_000;

    private final TraceReader traces;
    private final LakeBucket bucket;
    private final FileLimits files;
    private final ReadLimits limits;
    private final String version;
    private final long bytesPerSecond;

    DayWriter(TraceReader traces, LakeBucket bucket, ExportLimitsConfig limits, FileLimits files, ExecutionConfig execution,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.traces = traces;
        this.bucket = bucket;
        this.files = files;
        this.limits = ReadLimits.of(limits.runTimeout(), files.maxRowBytes());
        this.version = version;
        this.bytesPerSecond = execution.readBytesPerSecond();
    }

    /** Uploads all parts of the day's files, without completing the uploads. Blocks; an interrupt aborts it. */
    CompactedDay write(Compaction compaction) throws IOException, SQLException, InterruptedException {
        ExportSchema schema = ExportSchema.lake();
        var session = ExportedSession.several(compaction.lease().tenantId());
        try (DayIndexes indexes = new DayIndexes(bucket.store(), compaction.prefix());
                DayUploads uploads = new DayUploads(bucket.store(), compaction.prefix(), indexes);
                ParquetRunWriter writer = new ParquetRunWriter(schema, session, settings(compaction), uploads)) {
            var query = new SessionsQuery(compaction.lease().tenantId(), compaction.startTime(), compaction.endTime(),
                    schema.sources(), limits);
            ReadResult read = traces.read(query, Thread.currentThread()::isInterrupted,
                    new CompleteRows(writer, indexes, bytesPerSecond));
            return new CompactedDay(read.snapshot(), uploads.files(writer.finish(read.rows())));
        }
    }

    private FileSettings settings(Compaction compaction) {
        long rowGroupBytes = Math.min(ROW_GROUP_BYTES, files.maxRowGroupBytes());
        return new FileSettings(Compression.ZSTANDARD, version, Math.max(files.maxFileBytes(), rowGroupBytes), rowGroupBytes,
                ROW_GROUP_ROWS, Map.of("waybill.tenant_id", compaction.lease().tenantId().toString(), "waybill.day",
                        compaction.day().toString()));
    }

    /** Passes rows to the index and to the file, and rejects rows with truncated texts. */
    private static final class CompleteRows implements RowHandler {

        private final ParquetRunWriter writer;
        private final DayIndexes indexes;
        private final ReadRateLimit readRate;
        private @Nullable Snapshot snapshot;

        private CompleteRows(ParquetRunWriter writer, DayIndexes indexes, long bytesPerSecond) {
            this.writer = writer;
            this.indexes = indexes;
            this.readRate = ReadRateLimit.of(bytesPerSecond);
        }

        @Override
        public void started(Snapshot taken) {
            snapshot = taken;
        }

        @Override
        public void row(RunRow row) throws IOException {
            Snapshot taken = snapshot;
            if (row.isTruncated() && taken != null) {
                throw new UnsupportedDayException(taken);
            }
            indexes.add(row);
            writer.row(row);
            if (!writer.hasOpenGroup()) {
                indexes.endRowGroup();
            }
            readRate.acquire(row.size());
        }
    }
}
