package dev.waybill.export.preview;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import dev.waybill.common.filter.FilterParser;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.export.job.ExportSpec;
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.parquet.ExportedSession;
import dev.waybill.export.preview.RangeStatistics.MeasuredGroup;
import dev.waybill.export.preview.SampleCollector.SizeClassSample;
import dev.waybill.export.trace.ReadLimits;
import dev.waybill.export.trace.RunColumn;
import dev.waybill.export.trace.TraceQuery;
import dev.waybill.export.trace.TraceReader;
import io.smallrye.mutiny.Uni;

/**
 * Samples blocks of runs from the whole range of an export, chosen by size, and writes them like the export to a null stream.
 */
@Singleton
class BlockSampler {

    private static final int BLOCKS = 8;
    private static final int ROWS_PER_BLOCK = 500;
    /** Larger rows are excluded from samples. */
    private static final long MAX_ROW_BYTES = 8L << 20;
    private static final String QUERY_CANCELED = "57014";

    private final Blocking blocking;
    private final TraceReader traces;
    private final RunSampler files;
    private final Duration time;

    BlockSampler(Blocking blocking, TraceReader traces, RunSampler files, PreviewConfig config) {
        this.blocking = blocking;
        this.traces = traces;
        this.files = files;
        this.time = config.timeout().dividedBy(2);
    }

    /** Samples each size class, as far as the timeout allows. */
    Uni<List<SizeClassSample>> sample(ExportSpec order, ExportedSession session, List<MeasuredGroup> measured) {
        return blocking.call(() -> read(order, session, measured));
    }

    private List<SizeClassSample> read(ExportSpec order, ExportedSession session, List<MeasuredGroup> measured)
            throws IOException, SQLException, InterruptedException {
        ExportSchema schema = ExportSchema.named(order.exportFields(), order.version());
        long deadline = System.nanoTime() + time.toNanos();
        try (SampleCollector samples = new SampleCollector(schema, () -> files.writer(schema, session, order))) {
            for (SizeClass sizeClass : SizeClass.values()) {
                List<Instant> starts = sampleStarts(measured, sizeClass);
                for (Instant start : starts) {
                    long left = deadline - System.nanoTime();
                    samples.startBlock(sizeClass.sampleBytes() / starts.size());
                    if (left <= 0 || !read(query(order, session, schema, start, Duration.ofNanos(left)), samples)) {
                        return samples.finish();
                    }
                }
            }
            return samples.finish();
        }
    }

    /** Returns whether time is left for further blocks. */
    private boolean read(TraceQuery query, SampleCollector samples) throws IOException, SQLException, InterruptedException {
        try {
            traces.read(query, samples::isBlockFull, samples::add);
        } catch (InterruptedException e) {
            if (!samples.isBlockFull()) {
                throw e;
            }
        } catch (SQLException e) {
            if (!QUERY_CANCELED.equals(e.getSQLState())) {
                throw e;
            }
            return false;
        }
        return true;
    }

    private static TraceQuery query(ExportSpec order, ExportedSession session, ExportSchema schema, Instant from,
            Duration time) {
        Set<RunColumn> columns = EnumSet.copyOf(schema.sources());
        columns.add(RunColumn.STORED_BYTES);
        String filter = order.filter();
        return new TraceQuery(session.tenantId(), session.sessionId(), from, order.endTime(), columns,
                filter == null ? null : FilterParser.parse(filter), new ReadLimits(time, ROWS_PER_BLOCK, MAX_ROW_BYTES));
    }

    // Distributes the samples evenly over the bytes of the class: groups with many bytes are sampled, groups with few bytes may
    // be skipped.
    private static List<Instant> sampleStarts(List<MeasuredGroup> measured, SizeClass sizeClass) {
        List<MeasuredGroup> groups = measured.stream()
                .filter(group -> group.sizeClass() == sizeClass)
                .toList();
        double step = groups.stream().mapToDouble(BlockSampler::size).sum() / BLOCKS;
        Set<Instant> starts = new HashSet<>();
        double next = step / 2;
        double end = 0;
        for (MeasuredGroup group : groups) {
            end += size(group);
            if (end > next) {
                starts.add(group.sampleStart());
                next += step * Math.ceil((end - next) / step);
            }
        }
        return starts.stream().sorted().toList();
    }

    private static double size(MeasuredGroup group) {
        return group.weight() * (group.storedBytes() + group.rows());
    }
}
