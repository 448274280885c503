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
 * One session's runs that started in a half open range (contract.md "Bulk export"), and which of their columns to read.
 * <p>
 * COPY takes no bind parameters, so the statement holds its values as literals; they are made from UUIDs and instants
 * only, never from text. A filter's values are settings of the transaction, which the condition reads by name.
 *
 * @param startTime the first start time, to the microsecond
 * @param endTime the first start time that is no longer read, to the microsecond
 * @param columns what to read; a row answers null for every other column
 * @param filter which of the runs; null: all of them
 * @param checkpoints what was read of it before, in order: only the rows behind are read
 */
public record TraceQuery(UUID tenantId, UUID sessionId, Instant startTime, Instant endTime, Set<RunColumn> columns,
        @Nullable Filter filter, ReadLimits limits, List<Checkpoint> checkpoints) {

    /** With {@code inputs} and {@code outputs} replaced, six texts of that share each are within the limit. */
    private static final int OTHER_TEXTS_SHARE = 16;

    public TraceQuery {
        requireMicroseconds(startTime);
        requireMicroseconds(endTime);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("a query without columns reads nothing");
        }
        columns = Set.copyOf(columns);
        checkpoints = List.copyOf(checkpoints);
    }

    /** A query of which nothing was read before. */
    public TraceQuery(UUID tenantId, UUID sessionId, Instant startTime, Instant endTime, Set<RunColumn> columns,
            @Nullable Filter filter, ReadLimits limits) {
        this(tenantId, sessionId, startTime, endTime, columns, filter, limits, List.of());
    }

    /** The same without the feedback on the runs, which is then null in every row. */
    TraceQuery withoutFeedback() {
        Set<RunColumn> others = EnumSet.copyOf(columns);
        others.remove(RunColumn.FEEDBACK_STATS);
        return others.isEmpty() ? this
                : new TraceQuery(tenantId, sessionId, startTime, endTime, others, filter, limits, checkpoints);
    }

    private static void requireMicroseconds(Instant time) {
        if (time.getNano() % 1000 != 0) {
            throw new IllegalArgumentException("start times are kept to the microsecond, not " + time);
        }
    }

    /** The columns in the order in which the statement reads them. */
    List<RunColumn> columnsInOrder() {
        Set<RunColumn> read = EnumSet.copyOf(columns);
        if (columns.stream().anyMatch(RunColumn::isLongText)) {
            read.add(RunColumn.TRUNCATED);
        }
        return List.copyOf(read);
    }

    /** What has to be set in the transaction before the statement is run. */
    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("waybill.tenant_id", tenantId.toString());
        settings.put("statement_timeout", Long.toString(Math.clamp(limits.timeout().toMillis(), 1, Integer.MAX_VALUE)));
        condition().ifPresent(narrowing -> {
            settings.putAll(narrowing.settings());
            // A read that finds nothing sends nothing, and would not notice for hours that its reader is gone.
            settings.put("client_connection_check_interval", "2s");
        });
        return settings;
    }

    private Optional<FilterSql> condition() {
        return Optional.ofNullable(filter)
                .map(narrowing -> FilterSql.of(narrowing, "runs", PlaceholderStyle.settings()));
    }

    // Runs of a session that was removed are deleted in the background and hidden until then.
    String copyStatement() {
        return """
                COPY (
                    %s
                ) TO STDOUT (FORMAT binary)"""
                .formatted(columns.stream().anyMatch(RunColumn::isLongText) ? limited() : rows(""));
    }

    // The lengths are added up once a row; the ORDER BY within keeps the planner from merging both queries.
    private String limited() {
        return """
                SELECT %s
                    FROM (
                    %s
                    ) AS sized""".formatted(
                columnsInOrder().stream().map(this::limited).collect(Collectors.joining(", ")),
                rows(", " + RunColumn.sqlBytes(columns) + " AS text_bytes"));
    }

    private String limited(RunColumn column) {
        String tooLarge = "CASE WHEN text_bytes > " + limits.maxRowBytes();
        if (column == RunColumn.TRUNCATED) {
            return tooLarge + " THEN true END";
        }
        if (!column.isLongText()) {
            return column.column();
        }
        String others = isTruncatedFirst(column) ? ""
                : " AND %s > %d AND %s > %d".formatted(
                        columns.stream()
                                .filter(TraceQuery::isTruncatedFirst)
                                .sorted()
                                .map(first -> " - " + first.sqlBytes())
                                .collect(Collectors.joining("", "text_bytes", "")),
                        limits.maxRowBytes(), column.sqlBytes(), limits.maxRowBytes() / OTHER_TEXTS_SHARE);
        return "%s%s THEN %s ELSE %s END".formatted(tooLarge, others, column.sqlTruncated(), column.column());
    }

    /** Counts the rows of a checkpoint that are still there and were seen when it was read, and combines their ids. */
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
