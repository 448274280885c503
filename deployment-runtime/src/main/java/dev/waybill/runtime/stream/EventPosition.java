package dev.waybill.runtime.stream;

import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.ProblemType;
import dev.waybill.common.problem.Violation;
import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.run.Run;

/** Position in a run's events, from the header {@code Last-Event-ID}. */
final class EventPosition {

    /** Position before the first event. */
    static final String BEFORE_ALL = "-1";

    private static final Pattern FORM = Pattern.compile("(?:(?<run>[0-9a-f-]{36}):)?(?<number>-1|[0-9]{1,18})");

    private EventPosition() {
    }

    /**
     * Returns a function that opens the run's log at the position.
     *
     * @throws ProblemException 422 for an invalid id or one of another run, 410 when the next event is no longer retained
     */
    static Function<Runnable, EventLog.Cursor> of(Run run, @Nullable String lastEventId) {
        if (lastEventId == null || lastEventId.isBlank()) {
            return run.log()::openAtEnd;
        }
        long next = number(run.id(), lastEventId) + 1;
        if (!run.log().isAvailable(next)) {
            throw new ProblemException(RunProblem.EVENTS_GONE, "The events after " + lastEventId.strip()
                    + " are no longer retained"
                    + (run.request().resumable() ? "." : ": the run was not started with stream_resumable."));
        }
        return wake -> run.log().open(next, wake).orElseGet(() -> run.log().openAtEnd(wake));
    }

    /**
     * Returns the number of the last event that the client has received; -1 for none.
     *
     * @throws ProblemException 422 for an invalid id or one of another run
     */
    static long number(UUID run, @Nullable String lastEventId) {
        if (lastEventId == null || lastEventId.isBlank()) {
            return -1;
        }
        Matcher id = FORM.matcher(lastEventId.strip());
        if (!id.matches() || (id.group("run") != null && !id.group("run").equals(run.toString()))) {
            throw ProblemException.invalid(Violation.of("Last-Event-ID",
                    "must be the id of an event of this run, or -1 for all of them", "invalid"));
        }
        return Long.parseLong(id.group("number"));
    }

    /** Problem types of runs. */
    enum RunProblem implements ProblemType {
        EVENTS_GONE(410, "Events are gone");

        private final int status;
        private final String title;

        RunProblem(int status, String title) {
            this.status = status;
            this.title = title;
        }

        @Override
        public int status() {
            return status;
        }

        @Override
        public String title() {
            return title;
        }
    }
}
