package dev.waybill.controlplane.application;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.time.Timestamps;
import dev.waybill.controlplane.engine.LogLevel;
import dev.waybill.controlplane.engine.ServerLogQuery;

/** Query parameters that select lines of the output of an application. */
record ServerLogParameters(@Nullable String limit, @Nullable String offset, @Nullable String text, @Nullable String level,
        @Nullable String since) {

    static final String PHASE = "server";
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1_000;
    private static final int MAX_TEXT = 200;
    private static final String NUMBER = "[0-9]{1,18}";

    /** Returns whether the phase is that of the server log; the other log rejects its parameters. */
    boolean isServerLog(@Nullable String phase) {
        if (PHASE.equals(phase)) {
            return true;
        }
        List<Violation> violations = new ArrayList<>();
        if (phase != null) {
            violations.add(
                    Violation.of("phase", "must be server; omit it for the log of the build and the deployment", "invalid"));
        }
        requireNone("q", text, violations);
        requireNone("level", level, violations);
        requireNone("since", since, violations);
        ProblemException.throwIfAny(violations);
        return false;
    }

    private static void requireNone(String name, @Nullable String value, List<Violation> violations) {
        if (value != null) {
            violations.add(Violation.of(name, "is supported for phase=server only; add it, or omit this", "unsupported"));
        }
    }

    /** Returns the query of a page. */
    ServerLogQuery page() {
        return query(position("offset", offset));
    }

    /** Returns the query of a stream that begins after the event with that id. */
    ServerLogQuery stream(@Nullable String lastEventId) {
        return query(lastEventId == null ? position("offset", offset) : position("Last-Event-ID", lastEventId.strip()));
    }

    private ServerLogQuery query(Parsed<Long> position) {
        List<Violation> violations = new ArrayList<>(position.violations());
        int lines = lines(violations);
        LogLevel least = level(violations);
        Instant earliest = since(violations);
        if (text != null && text.length() > MAX_TEXT) {
            violations.add(Violation.of("q", "must have at most " + MAX_TEXT + " characters", "too_long"));
        }
        ProblemException.throwIfAny(violations);
        return new ServerLogQuery(position.value(), lines, position.value() == null, text == null ? "" : text, least, earliest);
    }

    private int lines(List<Violation> violations) {
        if (isAbsent(limit)) {
            return DEFAULT_LIMIT;
        }
        int lines = limit != null && limit.strip().matches("[0-9]{1,4}") ? Integer.parseInt(limit.strip()) : 0;
        if (lines < 1 || lines > MAX_LIMIT) {
            violations.add(Violation.of("limit", "must be a whole number, 1 to " + MAX_LIMIT, "invalid"));
        }
        return lines;
    }

    private @Nullable LogLevel level(List<Violation> violations) {
        if (level == null || level.isBlank()) {
            return null;
        }
        LogLevel least = LogLevel.of(level.strip()).orElse(null);
        if (least == null) {
            violations.add(Violation.of("level", "must be trace, debug, info, warn or error", "invalid"));
        }
        return least;
    }

    private @Nullable Instant since(List<Violation> violations) {
        if (since == null || since.isBlank()) {
            return null;
        }
        try {
            return Timestamps.parse(since.toUpperCase(Locale.ROOT));
        } catch (DateTimeException _) {
            violations.add(Violation.of("since", "must be a timestamp, for example 2026-11-24T08:00:00Z", "invalid"));
            return null;
        }
    }

    private static Parsed<Long> position(String name, @Nullable String text) {
        if (isAbsent(text)) {
            return new Parsed<>(null, List.of());
        }
        return text != null && text.strip().matches(NUMBER) ? new Parsed<>(Long.valueOf(text.strip()), List.of())
                : new Parsed<>(null, List.of(Violation.of(name, "must be the next_offset of a response or the id of an event",
                        "invalid")));
    }

    private static boolean isAbsent(@Nullable String text) {
        return text == null || text.isBlank();
    }

    private record Parsed<T>(@Nullable T value, List<Violation> violations) {
    }
}
