package dev.waybill.export.preview;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import dev.waybill.common.filter.Filter;
import dev.waybill.common.filter.FilterParser;
import dev.waybill.export.job.ExportOrder;
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.run.FileLimits;
import dev.waybill.export.trace.RunColumn;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgException;

/**
 * Says how many runs an order is about: exactly as far as it may count, else from slices of the time between the first run and
 * the last, in each of which the first runs are looked at.
 */
@Singleton
class RunCounter {

    private static final int SLICES = 20;
    /** Counting, counting more finely, filtering and measuring; and that once more coarsely: each has its part of the time. */
    private static final int TIMEOUT_SHARES = 8;
    /** Of so many of the runs that may be counted the sizes are looked at, for which PostgreSQL has to read the rows. */
    private static final int MEASURED_SHARE = 4;
    private static final String QUERY_CANCELED = "57014";

    private final Database database;
    private final PreviewRepository runs;
    private final PreviewConfig config;
    private final FileLimits limits;

    RunCounter(Database database, PreviewRepository runs, PreviewConfig config, FileLimits limits) {
        this.limits = limits;
        this.database = database;
        this.runs = runs;
        this.config = config;
    }

    /** The number of runs and their sizes; empty when the time was up before there was a number. */
    Uni<Optional<RangeStatistics>> count(UUID tenantId, ExportOrder order) {
        CountLimits countLimits = new CountLimits(config.maxCountedRows(), config.maxFilteredRows());
        return count(tenantId, order, countLimits)
                .onFailure(RunCounter::isTimeout).recoverWithUni(() -> count(tenantId, order, countLimits.coarse()))
                .chain(counted -> measure(tenantId, order, counted, countLimits))
                .map(Optional::of)
                .onFailure(RunCounter::isTimeout).recoverWithItem(Optional::empty);
    }

    private Uni<RangeStatistics> count(UUID tenantId, ExportOrder order, CountLimits countLimits) {
        return withTimeout(tenantId, connection -> runs
                .span(connection, tenantId, order.sessionId(), order.startTime(), order.endTime())
                .chain(span -> span
                        .map(found -> count(connection, tenantId, order, found, countLimits))
                        .orElseGet(() -> Uni.createFrom().item(RangeStatistics.EMPTY))));
    }

    private Uni<RangeStatistics> count(SqlConnection connection, UUID tenantId, ExportOrder order, TimeSlice span, CountLimits countLimits) {
        List<TimeSlice> slices = TimeSlice.of(span.startTime(), span.endTime(), SLICES);
        int limit = Math.max(1, countLimits.counted() / slices.size());
        return runs.count(connection, tenantId, order.sessionId(), slices, limit)
                .chain(counts -> refine(connection, tenantId, order, counts, limit))
                .chain(counts -> order.filter() == null
                        ? Uni.createFrom().item(new RangeStatistics(RowCount.ofAll(counts, limit), counts, limit, 0))
                        : filtered(connection, tenantId, order, counts, limit, countLimits));
    }

    // A slice that is full may hold many runs in a short while: what the others have left over is spent on pieces of it.
    private Uni<List<SliceCount>> refine(SqlConnection connection, UUID tenantId, ExportOrder order, List<SliceCount> counts,
            int limit) {
        List<SliceCount> full = counts.stream().filter(count -> count.rows() >= limit).toList();
        long left = (long) limit * counts.size() - counts.stream().mapToLong(SliceCount::rows).sum();
        int pieces = full.isEmpty() ? 0 : (int) Math.min(SLICES, left / limit + full.size()) / full.size();
        if (pieces < 2) {
            return Uni.createFrom().item(counts);
        }
        List<TimeSlice> slices = full.stream()
                .flatMap(count -> TimeSlice.of(count.slice().startTime(), count.slice().endTime(), pieces).stream())
                .toList();
        return runs.count(connection, tenantId, order.sessionId(), slices, limit)
                .map(finer -> Stream.concat(counts.stream().filter(count -> count.rows() < limit), finer.stream())
                        .sorted(Comparator.comparing(count -> count.slice().startTime()))
                        .toList());
    }

    // Where there are few runs the filter is asked of all of them, however they lie in the slices.
    private Uni<RangeStatistics> filtered(SqlConnection connection, UUID tenantId, ExportOrder order, List<SliceCount> counts,
            int limit, CountLimits countLimits) {
        RowCount all = RowCount.ofAll(counts, limit);
        int filterLimit = all.rows() < countLimits.filtered() ? countLimits.filtered() : Math.max(1, countLimits.filtered() / counts.size());
        Filter filter = FilterParser.parse(Objects.requireNonNull(order.filter()));
        return runs.filter(connection, tenantId, order.sessionId(), counts, filter, filterLimit)
                .map(filtered -> new RangeStatistics(RowCount.ofMatching(filtered, limit, filterLimit), filtered, limit,
                        filterLimit));
    }

    // A range whose sizes take too long to look at has a number of runs all the same.
    private Uni<RangeStatistics> measure(UUID tenantId, ExportOrder order, RangeStatistics counted, CountLimits countLimits) {
        if (counted.slices().isEmpty()) {
            return Uni.createFrom().item(counted);
        }
        int most = counted.filterLimit() > 0 ? counted.filterLimit()
                : Math.max(1, countLimits.counted() / MEASURED_SHARE / counted.slices().size());
        return measure(tenantId, order, counted, most)
                .onFailure(RunCounter::isTimeout)
                .recoverWithUni(() -> measure(tenantId, order, counted, Math.max(1, most / CountLimits.COARSE_DIVISOR)))
                .onFailure(RunCounter::isTimeout).recoverWithItem(counted);
    }

    private Uni<RangeStatistics> measure(UUID tenantId, ExportOrder order, RangeStatistics counted, int limit) {
        String filter = order.filter();
        Set<RunColumn> columns = ExportSchema.named(order.exportFields(), order.version()).sources();
        var measure = new PreviewRepository.Measure(columns, filter == null ? null : FilterParser.parse(filter), limit,
                limits.maxRowBytes());
        return withTimeout(tenantId, connection -> runs
                .measure(connection, tenantId, order.sessionId(), counted.slices(), measure)
                .map(counted::measured));
    }

    private <T> Uni<T> withTimeout(UUID tenantId, Function<SqlConnection, Uni<T>> work) {
        return database.inWorkspace(tenantId, connection -> runs
                .setReadOnly(connection, config.timeout().dividedBy(TIMEOUT_SHARES))
                .chain(() -> work.apply(connection)));
    }

    private static boolean isTimeout(Throwable failure) {
        return failure instanceof PgException refused && QUERY_CANCELED.equals(refused.getSqlState());
    }

    /** How many runs may be counted, and of how many the filter may be asked. */
    private record CountLimits(int counted, int filtered) {

        private static final int COARSE_DIVISOR = 50;

        /** Little enough to be done even where nothing is in memory and every document is large. */
        CountLimits coarse() {
            return new CountLimits(counted / COARSE_DIVISOR, filtered / COARSE_DIVISOR);
        }
    }
}
