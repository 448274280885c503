package dev.waybill.runtime.stream;

import java.time.Instant;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.runtime.channel.RunSequence;
import dev.waybill.runtime.run.RunResponse;

/**
 * Position in the events of a thread.
 *
 * @param run the run of the last event; null for none
 * @param number number of the last event in its run
 * @param fromRetained whether to begin with the retained events of active runs
 * @param endedSince begins with runs that have ended since then, and with the newest one; null for none
 */
record ThreadPosition(@Nullable UUID run, long number, boolean fromRetained, @Nullable Instant endedSince) {

    private static final Pattern EVENT = Pattern
            .compile("(?<run>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):(?<number>[0-9]{1,18})");

    /** Returns the position before the newest run, and before those that have ended since a time. */
    static ThreadPosition endedSince(Instant time) {
        return new ThreadPosition(null, -1, true, time);
    }

    /**
     * Parses the header {@code Last-Event-ID}.
     *
     * @throws ProblemException 422 for an invalid id
     */
    static ThreadPosition parse(@Nullable String lastEventId) {
        String id = lastEventId == null ? "" : lastEventId.strip();
        if (id.isEmpty() || id.equals("-") || id.equals(EventPosition.BEFORE_ALL)) {
            return new ThreadPosition(null, -1, !id.isEmpty(), null);
        }
        Matcher event = EVENT.matcher(id);
        if (!event.matches()) {
            throw ProblemException.invalid(Violation.of("Last-Event-ID",
                    "must be the id of an event of this thread, or -1 for the retained events of its active runs", "invalid"));
        }
        return new ThreadPosition(UUID.fromString(event.group("run")), Long.parseLong(event.group("number")), false, null);
    }

    /**
     * Returns whether the events of an ended run are sent as well. The position may be in a run that has ended before its time:
     * the clocks of replicas and of the storage differ, and later attempts have larger numbers.
     *
     * @param next the next run of the thread; null for the newest one
     */
    boolean includesEnded(RunResponse ended, @Nullable RunResponse next) {
        return endedSince != null && (next == null || !ended.updatedAt().isBefore(endedSince)
                || !RunSequence.timeOf(RunSequence.base(next.runId(), next.createdAt())).isBefore(endedSince));
    }

    boolean isAfterEventOf(UUID other) {
        return other.equals(run);
    }
}
