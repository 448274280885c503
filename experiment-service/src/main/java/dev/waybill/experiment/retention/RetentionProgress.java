package dev.waybill.experiment.retention;

import java.util.List;

/** How far a look through the sessions of a tier has come. */
final class RetentionProgress {

    private List<ExpiredSession> sessions = List.of();
    private ExpiredSession last = ExpiredSession.NONE;
    private long runs;
    private boolean over;

    /** Those that were found and are still to be done, the present one first. */
    List<ExpiredSession> sessions() {
        return sessions;
    }

    /** The last one that was found. */
    ExpiredSession last() {
        return last;
    }

    /** How many runs were deleted. */
    long runs() {
        return runs;
    }

    boolean isOver() {
        return over;
    }

    /** Goes on with these, which are behind all others. */
    void goOn(List<ExpiredSession> found) {
        sessions = found;
        if (!found.isEmpty()) {
            last = found.getLast();
        }
    }

    void end() {
        over = true;
    }

    /** So many runs of the present session are gone; less than {@code most} means that it has no more. Answers how many. */
    int count(int removed, int most) {
        runs += removed;
        if (removed < most && !sessions.isEmpty()) {
            sessions = sessions.subList(1, sessions.size());
        }
        return removed;
    }
}
