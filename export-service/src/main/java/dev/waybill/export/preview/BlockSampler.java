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
import dev.waybill.export.job.ExportOrder;
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.parquet.ExportedSession;
import dev.waybill.export.trace.ReadLimits;
import dev.waybill.export.trace.RunColumn;
import dev.waybill.export.trace.TraceQuery;
import dev.waybill.export.trace.TraceReader;
import io.smallrye.mutiny.Uni;

/** Reads blocks of runs from all over an order's range, chosen by size, and writes them to nowhere as the export would. */
@Singleton
class BlockSampler {

    private static final int BLOCKS = 8;
    private static final int ROWS_PER_BLOCK = 500;
    /** A preview holds no larger row; of runs above it nothing is sampled. */
    private static final long MAX_ROW_BYTES = 8L << 20;
    private static final String TIME_IS_UP = "57014";

    private final Blocking blocking;
    private final TraceReader traces;
    private final RunSampler files;
    private final Duration time;

    BlockSampler(Blocking blocking, TraceReader traces, RunSampler files, PreviewConfig config) {
        this.blocking = blocking;
        this.traces = traces;
        this.files = files;
        this.time = config.timeLimit().dividedBy(2);
    }

    /** What runs of each class become, as far as the time allows. */
    Uni<List<SizeClassSample>> take(ExportOrder order, ExportedSession origin, List<MeasuredGroup> measured) {
        return blocking.call(() -> read(order, origin, measured));
    }

    private List<SizeClassSample> read(ExportOrder order, ExportedSession origin, List<MeasuredGroup> measured)
            throws IOException, SQLException, InterruptedException {
        ExportSchema schema = ExportSchema.named(order.exportFields(), order.version());
        long deadline = System.nanoTime() + time.toNanos();
        try (SampleCollector samples = new SampleCollector(schema, () -> files.writer(schema, origin, order))) {
            for (SizeClass sizeClass : SizeClass.values()) {
                List<Instant> picks = picks(measured, sizeClass);
                for (Instant pick : picks) {
                    long left = deadline - System.nanoTime();
                    samples.startBlock(sizeClass.sampleBytes() / picks.size());
                    if (left <= 0 || !read(query(order, origin, schema, pick, Duration.ofNanos(left)), samples)) {
                        return samples.finish();
                    }
                }
            }
            return samples.finish();
        }
    }

    /** Returns whether there is time for more. */
    private boolean read(TraceQuery query, SampleCollector samples) throws IOException, SQLException, InterruptedException {
        try {
            traces.read(query, samples::isBlockFull, samples::add);
        } catch (InterruptedException e) {
            if (!samples.isBlockFull()) {
                throw e;
            }
        } catch (SQLException e) {
            if (!TIME_IS_UP.equals(e.getSQLState())) {
                throw e;
            }
            return false;
        }
        return true;
    }

    private static TraceQuery query(ExportOrder order, ExportedSession origin, ExportSchema schema, Instant from, Duration time) {
        Set<RunColumn> columns = EnumSet.copyOf(schema.sources());
        columns.add(RunColumn.STORED_BYTES);
        String filter = order.filter();
        return new TraceQuery(origin.tenantId(), origin.sessionId(), from, order.endTime(), columns,
                filter == null ? null : FilterParser.parse(filter), new ReadLimits(time, ROWS_PER_BLOCK, MAX_ROW_BYTES));
    }

    // Evenly over the bytes of the class: a piece that holds much of them is picked, one that holds hardly any perhaps not.
    private static List<Instant> picks(List<MeasuredGroup> measured, SizeClass sizeClass) {
        List<MeasuredGroup> pieces = measured.stream()
                .filter(piece -> piece.sizeClass() == sizeClass)
                .toList();
        double step = pieces.stream().mapToDouble(BlockSampler::size).sum() / BLOCKS;
        Set<Instant> picks = new HashSet<>();
        double next = step / 2;
        double end = 0;
        for (MeasuredGroup piece : pieces) {
            end += size(piece);
            if (end > next) {
                picks.add(piece.pick());
                next += step * Math.ceil((end - next) / step);
            }
        }
        return picks.stream().sorted().toList();
    }

    private static double size(MeasuredGroup piece) {
        return piece.weight() * (piece.storedBytes() + piece.rows());
    }
}
