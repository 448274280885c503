package dev.waybill.experiment.retention;

import java.util.List;

/** Progress of one scan over the sessions of a tier. */
final class RetentionProgress {

    private List<ExpiredSession> sessions = List.of();
    private ExpiredSession last = ExpiredSession.NONE;
    private long runs;
    private boolean finished;

    /** Returns the sessions found and not yet finished, the current one first. */
    List<ExpiredSession> sessions() {
        return sessions;
    }

    /** Returns the last session found. */
    ExpiredSession last() {
        return last;
    }

    /** Returns the number of deleted runs. */
    long runs() {
        return runs;
    }

    boolean isFinished() {
        return finished;
    }

    /** Continues with the next sessions. */
    void addSessions(List<ExpiredSession> found) {
        sessions = found;
        if (!found.isEmpty()) {
            last = found.getLast();
        }
    }

    void finish() {
        finished = true;
    }

    /**
     * Records the deletion of {@code deleted} runs; fewer than {@code limit} means that the current session has no more.
     * Returns {@code deleted}.
     */
    int count(int deleted, int limit) {
        runs += deleted;
        if (deleted < limit && !sessions.isEmpty()) {
            sessions = sessions.subList(1, sessions.size());
        }
        return deleted;
    }
}
