package dev.waybill.controlplane.audit;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.audit.AuditOutcome;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.time.Timestamps;

/**
 * The validated parameters of a list of events.
 *
 * @param eventId the only event of the list; null for all events
 * @param outcomes empty for all outcomes
 * @param methods empty for all methods
 * @param from earliest time
 * @param before position that all events of the page precede
 */
record AuditEventQuery(@Nullable UUID eventId, @Nullable String actorId, @Nullable UUID resourceId, List<String> outcomes,
        List<String> methods, Instant from, AuditEventPosition before, int limit) {

    private static final List<String> OUTCOMES = Arrays.stream(AuditOutcome.values()).map(AuditOutcome::toString).toList();
    private static final List<String> METHODS = List.of("POST", "PUT", "PATCH", "DELETE");
    private static final Instant EARLIEST = Timestamps.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Timestamps.parse("9999-12-31T23:59:59Z");
    private static final String INVALID = "invalid";

    /** The query parameters of a request. */
    record Parameters(@Nullable String eventId, @Nullable String actorId, @Nullable String resourceId, @Nullable String outcome,
            @Nullable String method,
            @Nullable String startTime, @Nullable String endTime, @Nullable String limit, @Nullable String cursor) {
    }

    /** @throws ProblemException 422 with all violations */
    static AuditEventQuery parse(Parameters given) {
        List<Violation> violations = new ArrayList<>();
        UUID eventId = uuid("event_id", given.eventId(), violations);
        String actorId = actorId(given.actorId(), violations);
        UUID resourceId = uuid("resource_id", given.resourceId(), violations);
        List<String> outcomes = names("outcome", given.outcome(), OUTCOMES, violations);
        List<String> methods = names("method", given.method(), METHODS, violations);
        Instant from = time("start_time", given.startTime(), EARLIEST, violations);
        Instant to = time("end_time", given.endTime(), LATEST, violations);
        if (!from.isBefore(to)) {
            violations.add(Violation.of("end_time", "must be after start_time", INVALID));
        }
        int limit = PageParameters
                .parse(given.limit(), null, PageParameters.DEFAULT_LIMIT, PageParameters.MAX_LIMIT, violations).limit();
        AuditEventPosition before = before(given.cursor(), AuditEventPosition.startOf(to), violations);
        ProblemException.throwIfAny(violations);
        return new AuditEventQuery(eventId, actorId, resourceId, outcomes, methods, from, before, limit);
    }

    private static @Nullable String actorId(@Nullable String text, List<Violation> violations) {
        // PostgreSQL rejects parameters with U+0000.
        if (text != null && text.indexOf('\0') >= 0) {
            violations.add(Violation.of("actor_id", "must not contain U+0000", INVALID));
        }
        return text == null || text.isBlank() ? null : text;
    }

    private static @Nullable UUID uuid(String parameter, @Nullable String text, List<Violation> violations) {
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException _) {
            violations.add(Violation.of(parameter, "must be a UUID", INVALID));
            return null;
        }
    }

    private static List<String> names(String parameter, @Nullable String text, List<String> known, List<Violation> violations) {
        List<String> names = text == null ? List.of()
                : Stream.of(text.split(",")).map(String::strip).filter(name -> !name.isEmpty()).distinct().toList();
        if (!known.containsAll(names)) {
            violations.add(Violation.of(parameter, "must be one of " + String.join(", ", known)
                    + ", or several of them separated by commas", INVALID));
        }
        return names;
    }

    private static Instant time(String parameter, @Nullable String text, Instant absent, List<Violation> violations) {
        if (text == null || text.isBlank()) {
            return absent;
        }
        try {
            return Timestamps.parse(text);
        } catch (DateTimeException _) {
            violations.add(Violation.of(parameter, "must be a timestamp, for example 2026-11-28T08:00:00Z", INVALID));
            return absent;
        }
    }

    private static AuditEventPosition before(@Nullable String cursor, AuditEventPosition end, List<Violation> violations) {
        if (cursor == null || cursor.isBlank()) {
            return end;
        }
        AuditEventPosition position = AuditEventPosition.parse(cursor).orElse(null);
        if (position == null) {
            violations.add(Violation.of("cursor", "must be the next_cursor of a response; send it unchanged", INVALID));
            return end;
        }
        return position.occurredAt().isBefore(end.occurredAt()) ? position : end;
    }
}
