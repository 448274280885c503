package dev.waybill.controlplane.revision.log;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.page.Page;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

/** Where reading a log begins, and how many lines it takes. */
record LogRange(int limit, int offset) {

    static final int MOST = 1_000;
    private static final int USUAL = 100;

    static LogRange parse(@Nullable String limit, @Nullable String offset) {
        Page page = Page.parse(limit, offset, USUAL, MOST);
        return new LogRange(page.limit(), page.offset());
    }

    /** Behind the line whose event had that id, which is how many lines there are up to it. */
    static LogRange behind(String lastEventId) {
        try {
            return parse(null, lastEventId);
        } catch (ProblemException e) {
            throw ProblemException.invalid(Violation.of("Last-Event-ID", "must be the id of an event of this log", "invalid"));
        }
    }
}
