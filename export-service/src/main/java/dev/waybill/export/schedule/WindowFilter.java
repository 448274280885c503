package dev.waybill.export.schedule;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.WindowStatus;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.time.Timestamps;

/**
 * Which windows of a schedule are requested.
 *
 * @param statuses statuses to list; empty for all
 * @param from lists windows that end after this time; null without a limit
 * @param to lists windows that start before this time; null without a limit
 */
record WindowFilter(List<WindowStatus> statuses, @Nullable Instant from, @Nullable Instant to, PageParameters page) {

    WindowFilter {
        statuses = List.copyOf(statuses);
    }

    /**
     * Parses the query parameters.
     *
     * @throws ProblemException 422 with all violations
     */
    static WindowFilter parse(List<String> statuses, @Nullable String startTime, @Nullable String endTime,
            @Nullable String limit, @Nullable String offset) {
        List<Violation> violations = new ArrayList<>();
        List<WindowStatus> known = new ArrayList<>();
        for (String status : statuses) {
            try {
                known.add(WindowStatus.parse(status));
            } catch (IllegalArgumentException e) {
                violations.add(Violation.of("status", "must be one of " + String.join(", ", WindowStatus.names()), "invalid"));
            }
        }
        Instant from = time("start_time", startTime, violations);
        Instant to = time("end_time", endTime, violations);
        PageParameters page = PageParameters.parse(limit, offset, PageParameters.MAX_LIMIT, PageParameters.MAX_LIMIT,
                violations);
        ProblemException.throwIfAny(violations);
        return new WindowFilter(known, from, to, page);
    }

    private static @Nullable Instant time(String name, @Nullable String text, List<Violation> violations) {
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            return Timestamps.parse(text);
        } catch (DateTimeException e) {
            violations.add(Violation.of(name, "must be an ISO 8601 timestamp", "invalid"));
            return null;
        }
    }
}
