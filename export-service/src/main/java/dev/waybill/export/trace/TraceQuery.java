package dev.waybill.export.trace;

import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.filter.Filter;
import dev.waybill.common.filter.FilterSql;
import dev.waybill.common.filter.PlaceholderStyle;
import dev.waybill.common.time.Timestamps;

/**
 * Selects one session's runs that started in a half-open range (contract.md "Bulk export"), and the columns to read.
 * <p>
 * COPY accepts no bind parameters, so the statement contains literals, which are formatted from UUIDs and instants only,
 * never from text. A filter's values are settings of the transaction, which the condition reads by name.
 *
 * @param startTime the first start time, to the microsecond
 * @param endTime the exclusive end of the start times, to the microsecond
 * @param columns the columns to read; a row returns null for every other column
 * @param filter selects runs; null for all
 * @param checkpoints the ranges already read, in order; only later rows are read
 */
public record TraceQuery(UUID tenantId, UUID sessionId, Instant startTime, Instant endTime, Set<RunColumn> columns,
        @Nullable Filter filter, ReadLimits limits, List<Checkpoint> checkpoints) {

    /** With {@code inputs} and {@code outputs} replaced, six texts of this share each fit within the limit. */
    private static final int OTHER_TEXTS_SHARE = 16;

    public TraceQuery {
        requireMicroseconds(startTime);
        requireMicroseconds(endTime);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("a query requires at least one column");
        }
        columns = Set.copyOf(columns);
        checkpoints = List.copyOf(checkpoints);
    }

    /** Creates a query without checkpoints. */
    public TraceQuery(UUID tenantId, UUID sessionId, Instant startTime, Instant endTime, Set<RunColumn> columns,
            @Nullable Filter filter, ReadLimits limits) {
        this(tenantId, sessionId, startTime, endTime, columns, filter, limits, List.of());
    }

    /** Returns the query without the feedback column, which is then null in every row. */
    TraceQuery withoutFeedback() {
        Set<RunColumn> others = EnumSet.copyOf(columns);
        others.remove(RunColumn.FEEDBACK_STATS);
        return others.isEmpty() ? this
                : new TraceQuery(tenantId, sessionId, startTime, endTime, others, filter, limits, checkpoints);
    }

    private static void requireMicroseconds(Instant time) {
        if (time.getNano() % 1000 != 0) {
            throw new IllegalArgumentException("start times have microsecond precision, not " + time);
        }
    }

    /** Returns the columns in the order of the statement. */
    List<RunColumn> columnsInOrder() {
        Set<RunColumn> read = EnumSet.copyOf(columns);
        if (columns.stream().anyMatch(RunColumn::isLongText)) {
            read.add(RunColumn.TRUNCATED);
        }
        return List.copyOf(read);
    }

    /** Returns the settings that the transaction requires before the statement. */
    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("waybill.tenant_id", tenantId.toString());
        settings.put("statement_timeout", Long.toString(Math.clamp(limits.timeout().toMillis(), 1, Integer.MAX_VALUE)));
        condition().ifPresent(narrowing -> {
            settings.putAll(narrowing.settings());
            // A query without matching rows sends nothing and would detect a lost client only after hours.
            settings.put("client_connection_check_interval", "2s");
        });
        return settings;
    }

    private Optional<FilterSql> condition() {
        return Optional.ofNullable(filter)
                .map(narrowing -> FilterSql.of(narrowing, "runs", PlaceholderStyle.settings()));
    }

    // Deleted sessions' runs are removed in the background and hidden until then.
    String copyStatement() {
        return """
                COPY (
                    %s
                ) TO STDOUT (FORMAT binary)"""
                .formatted(columns.stream().anyMatch(RunColumn::isLongText) ? truncatedSql() : rows(""));
    }

    // Computes the row's size once; the inner ORDER BY prevents the planner from merging both queries.
    private String truncatedSql() {
        return """
                SELECT %s
                    FROM (
                    %s
                    ) AS sized""".formatted(
                columnsInOrder().stream().map(this::truncatedSql).collect(Collectors.joining(", ")),
                rows(", " + RunColumn.sqlBytes(columns) + " AS text_bytes"));
    }

    private String truncatedSql(RunColumn column) {
        String tooLarge = "CASE WHEN text_bytes > " + limits.maxRowBytes();
        if (column == RunColumn.TRUNCATED) {
            return tooLarge + " THEN true END";
        }
        if (!column.isLongText()) {
            return column.column();
        }
        String others = isTruncatedFirst(column) ? ""
                : " AND %s > %s AND %s > %s".formatted(
                        columns.stream()
                                .filter(TraceQuery::isTruncatedFirst)
                                .sorted()
                                .map(first -> " - " + first.sqlBytes())
                                .collect(Collectors.joining("", "text_bytes", "")),
                        limits.maxRowBytes(), column.sqlBytes(), limits.maxRowBytes() / OTHER_TEXTS_SHARE);
        return "%s%s THEN %s ELSE %s END".formatted(tooLarge, others, column.sqlTruncated(), column.column());
    }

    /**
     * Returns the statement that counts the rows of a checkpoint that still exist and were visible in its snapshot, and
     * combines their ids.
     */
    String countStatement(int checkpoint) {
        Checkpoint read = checkpoints.get(checkpoint);
        return """
                SELECT count(*), bit_xor(('x' || translate(id::text, '-', ''))::bit(128))::text
                FROM trace.runs
                WHERE %s
                  AND (start_time, id) <= %s
                  AND coalesce(pg_visible_in_snapshot(received_in, '%s'::pg_snapshot), TRUE)""".formatted(
                range(checkpoint == 0 ? null : checkpoints.get(checkpoint - 1).last()), literal(read.last()),
                read.snapshot().transactions());
    }

    private static String literal(Position position) {
        return "('%s'::timestamptz, '%s'::uuid)".formatted(Timestamps.format(position.startTime()), position.id());
    }

    private static boolean isTruncatedFirst(RunColumn column) {
        return column == RunColumn.INPUTS || column == RunColumn.OUTPUTS;
    }

    private String rows(String more) {
        return """
                SELECT %s%s
                    FROM trace.runs
                    WHERE %s
                    ORDER BY start_time, id%s""".formatted(
                columnsInOrder().stream()
                        .filter(column -> column != RunColumn.TRUNCATED)
                        .map(this::sql)
                        .collect(Collectors.joining(", ")),
                more,
                range(checkpoints.isEmpty() ? null : checkpoints.getLast().last()),
                limits.hasRowLimit() ? "\n    LIMIT " + limits.maxRows() : "");
    }

    private String sql(RunColumn column) {
        return column == RunColumn.STORED_BYTES ? RunColumn.sqlStoredBytes(columns) + " AS " + column.column() : column.sql();
    }

    private String range(@Nullable Position after) {
        return """
                tenant_id = '%s'::uuid
                      AND session_id = '%s'::uuid
                      AND start_time >= '%s'::timestamptz
                      AND start_time < '%s'::timestamptz
                      AND NOT EXISTS (
                        SELECT FROM trace.session_removals WHERE tenant_id = '%1$s'::uuid AND session_id = '%2$s'::uuid)%s%s"""
                .formatted(
                        tenantId,
                        sessionId,
                        Timestamps.format(after == null ? startTime : after.startTime()),
                        Timestamps.format(endTime),
                        after == null ? "" : "\n      AND (start_time, id) > " + literal(after),
                        condition().map(narrowing -> "\n      AND " + narrowing.condition()).orElse(""));
    }
}
