package dev.waybill.export.trace;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.waybill.common.time.Timestamps;

/**
 * One session's runs that started in a half open range (contract.md "Bulk export"), and which of their columns to read.
 * <p>
 * COPY takes no bind parameters, so the statement holds its values as literals; they are made from UUIDs and instants
 * only, never from text. A filter's values can follow by {@code set_config(name, ?, true)} in the same transaction and
 * {@code (SELECT current_setting(name))} in the condition, which binds them without a literal.
 *
 * @param startTime the first start time, to the microsecond
 * @param endTime the first start time that is no longer read, to the microsecond
 * @param columns what to read; a row answers null for every other column
 */
public record TraceQuery(UUID tenantId, UUID sessionId, Instant startTime, Instant endTime, Set<RunColumn> columns) {

    public TraceQuery {
        requireMicroseconds(startTime);
        requireMicroseconds(endTime);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("a query without columns reads nothing");
        }
        columns = Set.copyOf(columns);
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

    String copyStatement() {
        return """
                COPY (
                    SELECT %s
                    FROM trace.runs
                    WHERE tenant_id = '%s'::uuid
                      AND session_id = '%s'::uuid
                      AND start_time >= '%s'::timestamptz
                      AND start_time < '%s'::timestamptz
                    ORDER BY start_time, id
                ) TO STDOUT (FORMAT binary)""".formatted(
                columnsInOrder().stream().map(RunColumn::sql).collect(Collectors.joining(", ")),
                tenantId,
                sessionId,
                Timestamps.format(startTime),
                Timestamps.format(endTime));
    }
}
