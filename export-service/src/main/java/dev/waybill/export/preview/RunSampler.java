package dev.waybill.export.preview;

import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import dev.waybill.common.filter.FilterParser;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.export.job.ExportSpec;
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.parquet.ExportedSession;
import dev.waybill.export.parquet.FileSettings;
import dev.waybill.export.parquet.ParquetRunWriter;
import dev.waybill.export.parquet.RunFormatter;
import dev.waybill.export.parquet.RunFormatter.FormattedField;
import dev.waybill.export.parquet.WrittenFile;
import dev.waybill.export.run.FileLimits;
import dev.waybill.export.trace.ReadLimits;
import dev.waybill.export.trace.RunColumn;
import dev.waybill.export.trace.RunRow;
import dev.waybill.export.trace.TraceQuery;
import dev.waybill.export.trace.TraceReader;
import io.smallrye.mutiny.Uni;

/** Reads the first runs of an export and writes them like the export to a null stream. */
@Singleton
class RunSampler {

    private static final int MAX_SHOWN_RUNS = 20;
    private static final int MAX_TEXT_BYTES = 1_000;
    private static final int MAX_ROWS = 1_000;
    private static final long MAX_SAMPLE_BYTES = 8L << 20;
    private static final String QUERY_CANCELED = "57014";
    private static final long MICROS_PER_DAY = 86_400_000_000L;
    /** As long as an export's id, which every file contains. */
    private static final String PLACEHOLDER_ID = new UUID(0, 0).toString();

    private final Blocking blocking;
    private final TraceReader traces;
    private final PreviewConfig config;
    private final FileLimits limits;
    private final String version;

    RunSampler(Blocking blocking, TraceReader traces, PreviewConfig config, FileLimits limits,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.blocking = blocking;
        this.traces = traces;
        this.config = config;
        this.limits = limits;
        this.version = version;
    }

    /** Reads the first runs, up to the limits and the timeout. */
    Uni<RunSample> sample(ExportSpec order, ExportedSession session) {
        return blocking.call(() -> read(order, session));
    }

    private RunSample read(ExportSpec order, ExportedSession session) throws IOException, SQLException, InterruptedException {
        ExportSchema schema = ExportSchema.named(order.exportFields(), order.version());
        String filter = order.filter();
        TraceQuery query = new TraceQuery(session.tenantId(), session.sessionId(), order.startTime(), order.endTime(),
                schema.sources(), filter == null ? null : FilterParser.parse(filter),
                new ReadLimits(config.timeout(), MAX_ROWS, MAX_SAMPLE_BYTES));
        try (ParquetRunWriter first = writer(schema, session, order);
                ParquetRunWriter all = writer(schema, session, order)) {
            SampleBuilder sample = new SampleBuilder(first, all, new RunFormatter(schema, session, MAX_TEXT_BYTES));
            RunSample.StopReason end = read(query, sample);
            return new RunSample(sample.shown, sample.rows, bytes(first, Math.min(1, sample.rows)), bytes(all, sample.rows),
                    sample.found, sample.days, end);
        }
    }

    private RunSample.StopReason read(TraceQuery query, SampleBuilder sample)
            throws IOException, SQLException, InterruptedException {
        try {
            long read = traces.read(query, sample::isComplete, sample::row).rows();
            return read < MAX_ROWS ? RunSample.StopReason.EXHAUSTED : RunSample.StopReason.LIMIT_REACHED;
        } catch (InterruptedException e) {
            if (!sample.isComplete()) {
                throw e;
            }
            return RunSample.StopReason.LIMIT_REACHED;
        } catch (SQLException e) {
            if (!QUERY_CANCELED.equals(e.getSQLState())) {
                throw e;
            }
            return RunSample.StopReason.TIMED_OUT;
        }
    }

    /** Returns a writer with the settings of the export that discards its files. */
    ParquetRunWriter writer(ExportSchema schema, ExportedSession session, ExportSpec order) {
        FileSettings settings = new FileSettings(order.compression(), version, limits.maxFileBytes(), limits.maxRowGroupBytes(),
                Map.of("waybill.export_id", PLACEHOLDER_ID));
        return new ParquetRunWriter(schema, session, settings, index -> OutputStream.nullOutputStream());
    }

    private static long bytes(ParquetRunWriter writer, long rows) throws IOException {
        return writer.finish(rows).stream().mapToLong(WrittenFile::bytes).sum();
    }

    /** Collects the sample: writes runs up to the size limit, and shows the first ones. */
    private static final class SampleBuilder {

        private final ParquetRunWriter first;
        private final ParquetRunWriter all;
        private final RunFormatter texts;
        private final List<List<FormattedField>> shown = new ArrayList<>();
        private long rows;
        private long bytes;
        private long found;
        private long lastDay = Long.MIN_VALUE;
        private long days;

        SampleBuilder(ParquetRunWriter first, ParquetRunWriter all, RunFormatter texts) {
            this.first = first;
            this.all = all;
            this.texts = texts;
        }

        void row(RunRow row) throws IOException {
            found++;
            long day = Math.floorDiv(row.micros(RunColumn.START_TIME), MICROS_PER_DAY);
            days += day == lastDay ? 0 : 1;
            lastDay = day;
            if (shown.size() < MAX_SHOWN_RUNS) {
                shown.add(texts.of(row));
            }
            // A run above the size limit of previews was read without its texts.
            if (bytes < MAX_SAMPLE_BYTES && !row.isTruncated()) {
                all.row(row);
                if (rows == 0) {
                    first.row(row);
                }
                rows++;
                bytes += row.size();
            }
        }

        boolean isComplete() {
            return bytes >= MAX_SAMPLE_BYTES && shown.size() == MAX_SHOWN_RUNS;
        }
    }
}
