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
 * @param window whether a schedule created the export for one of its windows; false for backfills
 */
record BulkExportFilter(@Nullable BulkExportStatus status, @Nullable Boolean paused, @Nullable Boolean window,
        @Nullable UUID sessionId, @Nullable UUID destinationId, PageParameters page) {

    /** The query parameters of a request. */
    record Parameters(@Nullable String status, @Nullable String paused, @Nullable String window, @Nullable String sessionId,
            @Nullable String destinationId, @Nullable String limit, @Nullable String offset) {
    }

    /** @throws ProblemException 422 with all violations */
    static BulkExportFilter parse(Parameters given) {
        List<Violation> violations = new ArrayList<>();
        BulkExportFilter filter = new BulkExportFilter(status(given.status(), violations),
                flag("paused", given.paused(), violations), flag("window", given.window(), violations),
                id("session_id", given.sessionId(), violations), id("destination_id", given.destinationId(), violations),
                PageParameters.parse(given.limit(), given.offset(), Integer.MAX_VALUE, Integer.MAX_VALUE, violations));
        ProblemException.throwIfAny(violations);
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
        if (window != null) {
            condition.append(" AND e.window_number IS ").append(window ? "NOT NULL" : "NULL");
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

    private static @Nullable Boolean flag(String name, @Nullable String text, List<Violation> violations) {
        if (text == null || text.isBlank()) {
            return null;
        }
        String value = text.strip();
        if (!value.equals("true") && !value.equals("false")) {
            violations.add(Violation.of(name, "must be true or false", "invalid"));
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
