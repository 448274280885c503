package dev.waybill.export.preview;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Database;
import dev.waybill.common.filter.Filter;
import dev.waybill.common.filter.FilterParser;
import dev.waybill.export.job.ExportSpec;
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.run.FileLimits;
import dev.waybill.export.trace.RunColumn;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgException;

/**
 * Counts the runs of an export: exactly up to a limit, otherwise by extrapolation from the first runs of each slice of the time
 * between the first run and the last.
 */
@Singleton
class RunCounter {

    private static final int SLICES = 20;
    /**
     * The timeout is divided among the statements: count, refine, filter and measure, each possibly repeated with coarse
     * limits.
     */
    private static final int TIMEOUT_SHARES = 8;
    /** The share of the counted runs that is measured; PostgreSQL must read their rows. */
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

    /** Returns the number of runs and their sizes; empty if the time was too short for a number. */
    Uni<Optional<RangeStatistics>> count(UUID tenantId, ExportSpec order) {
        CountLimits countLimits = new CountLimits(config.maxCountedRows(), config.maxFilteredRows());
        return count(tenantId, order, countLimits)
                .onFailure(RunCounter::isTimeout).recoverWithUni(() -> count(tenantId, order, countLimits.coarse()))
                .chain(counted -> measure(tenantId, order, counted, countLimits))
                .map(Optional::of)
                .onFailure(RunCounter::isTimeout).recoverWithItem(Optional::empty);
    }

    private Uni<RangeStatistics> count(UUID tenantId, ExportSpec order, CountLimits countLimits) {
        return withTimeout(tenantId, connection -> runs
                .span(connection, tenantId, order.sessionId(), order.startTime(), order.endTime())
                .chain(span -> span
                        .map(found -> count(connection, tenantId, order, found, countLimits))
                        .orElseGet(() -> Uni.createFrom().item(RangeStatistics.EMPTY))));
    }

    private Uni<RangeStatistics> count(SqlConnection connection, UUID tenantId, ExportSpec order, TimeSlice span,
            CountLimits countLimits) {
        List<TimeSlice> slices = TimeSlice.of(span.startTime(), span.endTime(), SLICES);
        int limit = Math.max(1, countLimits.counted() / slices.size());
        return runs.count(connection, tenantId, order.sessionId(), slices, limit)
                .chain(counts -> refine(connection, tenantId, order, counts, limit))
                .chain(counts -> order.filter() == null
                        ? Uni.createFrom().item(new RangeStatistics(RowCount.ofAll(counts, limit), counts, limit, 0))
                        : filtered(connection, tenantId, order, counts, limit, countLimits));
    }

    // A slice at its limit may contain many runs in a short time, so the unused limit of the others is spent on parts of it.
    private Uni<List<SliceCount>> refine(SqlConnection connection, UUID tenantId, ExportSpec order, List<SliceCount> counts,
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

    // With few runs, the filter is evaluated on all of them, whatever their distribution over the slices.
    private Uni<RangeStatistics> filtered(SqlConnection connection, UUID tenantId, ExportSpec order, List<SliceCount> counts,
            int limit, CountLimits countLimits) {
        RowCount all = RowCount.ofAll(counts, limit);
        int filterLimit = all.rows() < countLimits.filtered() ? countLimits.filtered()
                : Math.max(1, countLimits.filtered() / counts.size());
        Filter filter = FilterParser.parse(Objects.requireNonNull(order.filter()));
        return runs.filter(connection, tenantId, order.sessionId(), counts, filter, filterLimit)
                .map(filtered -> new RangeStatistics(RowCount.ofMatching(filtered, limit, filterLimit), filtered, limit,
                        filterLimit));
    }

    // If measuring the sizes takes too long, the number of runs is returned without them.
    private Uni<RangeStatistics> measure(UUID tenantId, ExportSpec order, RangeStatistics counted, CountLimits countLimits) {
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

    private Uni<RangeStatistics> measure(UUID tenantId, ExportSpec order, RangeStatistics counted, int limit) {
        String filter = order.filter();
        Set<RunColumn> columns = ExportSchema.named(order.exportFields(), order.version()).sources();
        var measure = new PreviewRepository.Measure(columns, filter == null ? null : FilterParser.parse(filter), limit,
                limits.maxRowBytes());
        return withTimeout(tenantId, connection -> runs
                .measure(connection, tenantId, order.sessionId(), counted.slices(), measure)
                .map(counted::withMeasurements));
    }

    private <T> Uni<T> withTimeout(UUID tenantId, Function<SqlConnection, Uni<T>> work) {
        return database.inWorkspace(tenantId, connection -> runs
                .setReadOnly(connection, config.timeout().dividedBy(TIMEOUT_SHARES))
                .chain(() -> work.apply(connection)));
    }

    private static boolean isTimeout(Throwable failure) {
        return failure instanceof PgException refused && QUERY_CANCELED.equals(refused.getSqlState());
    }

    /** The maximum number of runs to count, and to evaluate the filter on. */
    private record CountLimits(int counted, int filtered) {

        private static final int COARSE_DIVISOR = 50;

        /** Returns limits small enough to complete with a cold cache and large documents. */
        CountLimits coarse() {
            return new CountLimits(counted / COARSE_DIVISOR, filtered / COARSE_DIVISOR);
        }
    }

    /** A half-open part of a time range. */
    record TimeSlice(Instant startTime, Instant endTime) {

        /** Divides the range into at most {@code count} non-empty slices of similar length. */
        static List<TimeSlice> of(Instant startTime, Instant endTime, int count) {
            long micros = ChronoUnit.MICROS.between(startTime, endTime);
            long slices = Math.min(count, micros);
            return LongStream.range(0, slices)
                    .mapToObj(n -> new TimeSlice(boundary(startTime, micros, n, slices),
                            boundary(startTime, micros, n + 1, slices)))
                    .toList();
        }

        // Quotient and remainder are multiplied separately to avoid an overflow.
        private static Instant boundary(Instant startTime, long micros, long n, long slices) {
            return startTime.plus(micros / slices * n + micros % slices * n / slices, ChronoUnit.MICROS);
        }

        long micros() {
            return ChronoUnit.MICROS.between(startTime, endTime);
        }
    }

    /**
     * The result of counting one slice.
     *
     * @param rows the number of runs, up to a limit
     * @param lastCounted the start time of the last counted run; null without runs
     * @param filtered the number of runs on which the filter was evaluated
     * @param matching the number of those that match
     */
    record SliceCount(TimeSlice slice, long rows, @Nullable Instant lastCounted, long filtered, long matching) {

        /** Maximum ratio of estimated to counted runs. Runs with equal start times provide no density to extrapolate from. */
        private static final double MAX_EXTRAPOLATION = 1_000;

        /** Estimates the number of runs of the slice, with the density of the counted ones. */
        double allRows(long limit) {
            if (rows < limit || lastCounted == null) {
                return rows;
            }
            double counted = Math.max(1, ChronoUnit.MICROS.between(slice.startTime(), lastCounted));
            return rows * Math.clamp(slice.micros() / counted, 1, MAX_EXTRAPOLATION);
        }

        /** Estimates the number of matching runs of the slice, with the ratio of matches so far. */
        double matchingRows(long limit) {
            return filtered == 0 ? 0 : allRows(limit) * matching / filtered;
        }
    }
}
