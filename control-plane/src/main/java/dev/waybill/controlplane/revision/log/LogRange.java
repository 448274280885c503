package dev.waybill.controlplane.revision.log;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.page.Page;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

/** The range of log lines that a client requests. */
record LogRange(int limit, int offset) {

    static final int MAX_LIMIT = 1_000;
    private static final int DEFAULT_LIMIT = 100;

    static LogRange parse(@Nullable String limit, @Nullable String offset) {
        Page page = Page.parse(limit, offset, DEFAULT_LIMIT, MAX_LIMIT);
        return new LogRange(page.limit(), page.offset());
    }

    /** Returns the range after the event with that id; an event's id is the number of lines up to and including it. */
    static LogRange after(String lastEventId) {
        try {
            return parse(null, lastEventId);
        } catch (ProblemException e) {
            throw ProblemException.invalid(Violation.of("Last-Event-ID", "must be the id of an event of this log", "invalid"));
        }
    }
}
