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
import java.util.stream.Stream;

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
 */
public record TraceQuery(UUID tenantId, UUID sessionId, Instant startTime, Instant endTime, Set<RunColumn> columns,
        @Nullable Filter filter, ReadLimits limits) {

    public TraceQuery {
        requireMicroseconds(startTime);
        requireMicroseconds(endTime);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("a query without columns reads nothing");
        }
        columns = Set.copyOf(columns);
    }

    /** The same without the feedback on the runs, which is then null in every row. */
    TraceQuery withoutFeedback() {
        Set<RunColumn> others = EnumSet.copyOf(columns);
        others.remove(RunColumn.FEEDBACK_STATS);
        return others.isEmpty() ? this
                : new TraceQuery(tenantId, sessionId, startTime, endTime, others, filter, limits);
    }

    private static void requireMicroseconds(Instant time) {
        if (time.getNano() % 1000 != 0) {
            throw new IllegalArgumentException("start times are kept to the microsecond, not " + time);
        }
    }

    /** The columns in the order in which the statement reads them. */
    List<RunColumn> columnsInOrder() {
        return List.copyOf(EnumSet.copyOf(columns));
    }

    /** What has to be set in the transaction before the statement is run. */
    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("waybill.tenant_id", tenantId.toString());
        settings.put("statement_timeout", Long.toString(Math.clamp(limits.time().toMillis(), 1, Integer.MAX_VALUE)));
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
                    SELECT %1$s
                    FROM trace.runs
                    WHERE tenant_id = '%2$s'::uuid
                      AND session_id = '%3$s'::uuid
                      AND start_time >= '%4$s'::timestamptz
                      AND start_time < '%5$s'::timestamptz
                      AND NOT EXISTS (
                        SELECT FROM trace.session_removals WHERE tenant_id = '%2$s'::uuid AND session_id = '%3$s'::uuid)%6$s
                    ORDER BY start_time, id%7$s
                ) TO STDOUT (FORMAT binary)""".formatted(
                selected(),
                tenantId,
                sessionId,
                Timestamps.format(startTime),
                Timestamps.format(endTime),
                condition().map(narrowing -> "\n      AND " + narrowing.condition()).orElse(""),
                limits.limitsRows() ? "\n    LIMIT " + limits.rows() : "");
    }

    // The limit is asked of what is sent and not of what is looked at: among conditions PostgreSQL would ask it before a costly
    // filter, which may be there to leave the large run out.
    private String selected() {
        List<RunColumn> columns = columnsInOrder();
        String first = columns.getFirst().sql();
        return Stream.concat(
                Stream.of(rowLimit().map(within -> "CASE WHEN " + within + " THEN " + first + " END").orElse(first)),
                columns.stream().skip(1).map(RunColumn::sql))
                .collect(Collectors.joining(", "));
    }

    // Of text PostgreSQL knows the length without unpacking it; all else in a row is short.
    private Optional<String> rowLimit() {
        String bytes = columnsInOrder().stream()
                .filter(RunColumn::isLongText)
                .map(column -> "coalesce(octet_length(" + column.sql() + "), 0)::bigint")
                .collect(Collectors.joining(" + "));
        return bytes.isEmpty() ? Optional.empty()
                : Optional.of("%s <= %d OR export.row_too_large(id, %s)".formatted(bytes, limits.rowBytes(), bytes));
    }
}
