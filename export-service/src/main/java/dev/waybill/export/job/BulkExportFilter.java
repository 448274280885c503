package dev.waybill.export.job;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * The validated parameters of a list of exports. All violations are reported together.
 *
 * @param paused whether the export is a paused schedule that was not cancelled
 */
record BulkExportFilter(@Nullable BulkExportStatus status, @Nullable Boolean paused, @Nullable UUID sessionId,
        @Nullable UUID destinationId, PageParameters page) {

    static BulkExportFilter parse(@Nullable String status, @Nullable String paused, @Nullable String sessionId,
            @Nullable String destinationId, @Nullable String limit, @Nullable String offset) {
        List<Violation> violations = new ArrayList<>();
        BulkExportFilter filter = new BulkExportFilter(status(status, violations), paused(paused, violations),
                id("session_id", sessionId, violations), id("destination_id", destinationId, violations),
                PageParameters.parse(limit, offset, Integer.MAX_VALUE, Integer.MAX_VALUE, violations));
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations);
        }
        return filter;
    }

    /**
     * Returns the condition on rows of {@code export.bulk_exports AS e} with the parameters {@link #values}. It has only the
     * given filters, so that the plan of each combination uses its index.
     */
    String condition() {
        StringBuilder condition = new StringBuilder("e.tenant_id = $1");
        int parameter = 2;
        for (String column : columns().keySet()) {
            condition.append(" AND e.").append(column).append(" = $").append(parameter++);
        }
        if (paused != null) {
            condition.append(" AND (e.status = 'IntervalScheduled' AND e.paused_at IS NOT NULL) IS ").append(paused);
        }
        return condition.toString();
    }

    Tuple values(UUID tenantId) {
        List<Object> values = new ArrayList<>();
        values.add(tenantId);
        values.addAll(columns().values());
        return Tuple.tuple(values);
    }

    /** Returns the number of {@link #values}. */
    int parameters() {
        return 1 + columns().size();
    }

    /** Returns the filtered columns with their values, always in the same order. */
    private Map<String, Object> columns() {
        Map<String, Object> columns = new TreeMap<>();
        if (status != null) {
            columns.put("status", status.toString());
        }
        if (sessionId != null) {
            columns.put("session_id", sessionId);
        }
        if (destinationId != null) {
            columns.put("destination_id", destinationId);
        }
        return columns;
    }

    private static @Nullable BulkExportStatus status(@Nullable String text, List<Violation> violations) {
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            return BulkExportStatus.parse(text.strip());
        } catch (IllegalArgumentException e) {
            violations.add(Violation.of("status", "must be one of " + Arrays.stream(BulkExportStatus.values())
                    .map(BulkExportStatus::toString)
                    .collect(Collectors.joining(", ")), "invalid"));
            return null;
        }
    }

    private static @Nullable Boolean paused(@Nullable String text, List<Violation> violations) {
        if (text == null || text.isBlank()) {
            return null;
        }
        String value = text.strip();
        if (!value.equals("true") && !value.equals("false")) {
            violations.add(Violation.of("paused", "must be true or false", "invalid"));
        }
        return value.equals("true");
    }

    private static @Nullable UUID id(String name, @Nullable String text, List<Violation> violations) {
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            return UUID.fromString(text.strip());
        } catch (IllegalArgumentException e) {
            violations.add(Violation.of(name, "must be a UUID", "type"));
            return null;
        }
    }
}
