package dev.waybill.export.preview;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Rows;
import dev.waybill.common.filter.Filter;
import dev.waybill.common.filter.FilterSql;
import dev.waybill.common.filter.PlaceholderStyle;
import dev.waybill.export.preview.RangeStatistics.MeasuredGroup;
import dev.waybill.export.preview.RunCounter.SliceCount;
import dev.waybill.export.preview.RunCounter.TimeSlice;
import dev.waybill.export.trace.RunColumn;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Counts and measures the runs of a session with the index that exports read, up to a limit. */
@Singleton
class PreviewRepository {

    // Same planner settings as exports: the index provides the order, and a preview uses at most one core.
    private static final String READ_ONLY_SETTINGS = """
            SELECT set_config('transaction_read_only', 'on', true), set_config('statement_timeout', $1, true),
                   set_config('enable_sort', 'off', true), set_config('max_parallel_workers_per_gather', '0', true),
                   set_config('jit', 'off', true)
            """;

    private static final String SPAN = """
            SELECT first_run.start_time AS first_start, last_run.start_time AS last_start
            FROM (SELECT start_time FROM trace.runs
                  WHERE tenant_id = $1 AND session_id = $2 AND start_time >= $3 AND start_time < $4
                  ORDER BY start_time, id
                  LIMIT 1) AS first_run,
                 (SELECT start_time FROM trace.runs
                  WHERE tenant_id = $1 AND session_id = $2 AND start_time >= $3 AND start_time < $4
                  ORDER BY start_time DESC, id DESC
                  LIMIT 1) AS last_run
            """;

    private static final String COUNT = """
            SELECT counted.rows, counted.last_start
            FROM unnest($3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS slice (start_time, end_time, number)
            CROSS JOIN LATERAL (
                SELECT count(*) AS rows, max(start_time) AS last_start
                FROM (SELECT start_time FROM trace.runs
                      WHERE tenant_id = $1 AND session_id = $2
                          AND start_time >= slice.start_time AND start_time < slice.end_time
                      ORDER BY start_time, id
                      LIMIT $5) AS first_runs) AS counted
            ORDER BY slice.number
            """;

    // Picks one run per group, with a probability proportional to its size. A row above the size limit counts without its
    // texts, as exports write it.
    private static final String MEASURE = """
            SELECT slice.number AS slice, part.class, part.rows, part.bytes, part.stored, part.truncated, part.pick[2] AS pick
            FROM unnest($3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS slice (start_time, end_time, number)
            CROSS JOIN LATERAL (
                SELECT {class} AS class, count(*) AS rows, sum(bytes)::bigint AS bytes, sum(stored)::bigint AS stored,
                       count(*) FILTER (WHERE is_truncated) AS truncated,
                       min(ARRAY[-ln(1 - random()) / (stored + 100), date_part('epoch', start_time)]) AS pick
                FROM (
                    SELECT start_time, CASE WHEN bytes > $6 THEN 500 ELSE bytes END AS bytes,
                           CASE WHEN bytes > $6 THEN 500 ELSE stored END AS stored, bytes > $6 AS is_truncated
                    FROM (
                        SELECT start_time, {bytes} AS bytes, {stored} AS stored
                        FROM (SELECT * FROM trace.runs
                              WHERE tenant_id = $1 AND session_id = $2
                                  AND start_time >= slice.start_time AND start_time < slice.end_time
                              ORDER BY start_time, id
                              LIMIT $5) AS runs
                        WHERE {condition}
                        OFFSET 0) AS sized) AS measured
                GROUP BY 1, floor(random() * 4)) AS part
            """;

    private static final int OWN_PARAMETERS = 5;
    private static final String FILTER = """
            SELECT evaluated.filtered, evaluated.matching
            FROM unnest($3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS slice (start_time, end_time, number)
            CROSS JOIN LATERAL (
                SELECT count(*) AS filtered, count(*) FILTER (WHERE {condition}) AS matching
                FROM (SELECT * FROM trace.runs
                      WHERE tenant_id = $1 AND session_id = $2
                          AND start_time >= slice.start_time AND start_time < slice.end_time
                      ORDER BY start_time, id
                      LIMIT $5) AS runs) AS evaluated
            ORDER BY slice.number
            """;

    Uni<Void> setReadOnly(SqlConnection connection, Duration timeout) {
        return connection.preparedQuery(READ_ONLY_SETTINGS)
                .execute(Tuple.of(Long.toString(Math.clamp(timeout.toMillis(), 1, Integer.MAX_VALUE))))
                .replaceWithVoid();
    }

    /** Returns the time from the first run's start to just after the last run's start; empty without runs. */
    Uni<Optional<TimeSlice>> span(SqlConnection connection, UUID tenantId, UUID sessionId, Instant from, Instant to) {
        return connection.preparedQuery(SPAN)
                .execute(Tuple.of(tenantId, sessionId, utc(from), utc(to)))
                .map(rows -> Rows.findFirst(rows, row -> new TimeSlice(Rows.requireInstant(row, "first_start"),
                        Rows.requireInstant(row, "last_start").plusNanos(1_000))));
    }

    /** Counts the runs of each slice, up to {@code limit}. */
    Uni<List<SliceCount>> count(SqlConnection connection, UUID tenantId, UUID sessionId, List<TimeSlice> slices, int limit) {
        return connection.preparedQuery(COUNT)
                .execute(parameters(tenantId, sessionId, slices, limit))
                .map(rows -> {
                    List<SliceCount> counts = new ArrayList<>();
                    for (Row row : rows) {
                        boolean isEmpty = row.getLong("rows") == 0;
                        counts.add(new SliceCount(slices.get(counts.size()), row.getLong("rows"),
                                isEmpty ? null : Rows.requireInstant(row, "last_start"), 0, 0));
                    }
                    return counts;
                });
    }

    /** Evaluates the filter on at most {@code limit} runs of each slice, and adds the results to the counts. */
    Uni<List<SliceCount>> filter(SqlConnection connection, UUID tenantId, UUID sessionId, List<SliceCount> counts,
            Filter filter, int limit) {
        FilterSql sql = FilterSql.of(filter, "runs", PlaceholderStyle.numbered(OWN_PARAMETERS + 1));
        Tuple parameters = parameters(tenantId, sessionId, counts.stream().map(SliceCount::slice).toList(), limit);
        sql.bindables().forEach(parameters::addValue);
        return connection.preparedQuery(FILTER.replace("{condition}", sql.condition()))
                .execute(parameters)
                .map(rows -> {
                    List<SliceCount> filtered = new ArrayList<>();
                    for (Row row : rows) {
                        SliceCount count = counts.get(filtered.size());
                        filtered.add(new SliceCount(count.slice(), count.rows(), count.lastCounted(), row.getLong("filtered"),
                                row.getLong("matching")));
                    }
                    return filtered;
                });
    }

    /**
     * Measures the sizes of at most {@code limit} matching runs of each slice, in random groups per size class. The weight of
     * each group is the number of its slice.
     */
    Uni<List<MeasuredGroup>> measure(SqlConnection connection, UUID tenantId, UUID sessionId, List<SliceCount> counts,
            Measure measure) {
        Tuple parameters = parameters(tenantId, sessionId, counts.stream().map(SliceCount::slice).toList(), measure.limit());
        parameters.addLong(measure.rowBytes());
        String condition = "TRUE";
        if (measure.filter() != null) {
            FilterSql sql = FilterSql.of(measure.filter(), "runs", PlaceholderStyle.numbered(OWN_PARAMETERS + 2));
            sql.bindables().forEach(parameters::addValue);
            condition = sql.condition();
        }
        String statement = MEASURE
                .replace("{bytes}", RunColumn.sqlBytes(measure.columns()))
                .replace("{stored}", RunColumn.sqlStoredBytes(measure.columns()))
                .replace("{class}", SizeClass.sql("bytes"))
                .replace("{condition}", condition);
        return connection.preparedQuery(statement)
                .execute(parameters)
                .map(rows -> Rows.list(rows, PreviewRepository::group));
    }

    private static MeasuredGroup group(Row row) {
        long micros = Math.round(row.getDouble("pick") * 1e6) - 1;
        return new MeasuredGroup(SizeClass.values()[row.getInteger("class")], row.getLong("slice"), row.getLong("rows"),
                row.getLong("bytes"), row.getLong("stored"), row.getLong("truncated"),
                Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
    }

    /**
     * Parameters of a measurement.
     *
     * @param columns the columns whose texts are measured
     * @param limit the maximum number of runs per slice
     * @param rowBytes the size above which a row's texts are replaced
     */
    record Measure(Set<RunColumn> columns, @Nullable Filter filter, int limit, long rowBytes) {
    }

    private static Tuple parameters(UUID tenantId, UUID sessionId, List<TimeSlice> slices, int limit) {
        return Tuple.tuple(new ArrayList<>(Arrays.asList(tenantId, sessionId, times(slices, TimeSlice::startTime),
                times(slices, TimeSlice::endTime), (long) limit)));
    }

    private static OffsetDateTime[] times(List<TimeSlice> slices, Function<TimeSlice, Instant> time) {
        return slices.stream()
                .map(slice -> utc(time.apply(slice)))
                .toArray(OffsetDateTime[]::new);
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
