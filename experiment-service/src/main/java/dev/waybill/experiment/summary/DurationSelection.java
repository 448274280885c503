package dev.waybill.experiment.summary;

/** Groups whose durations a query needs: distributions are most of a summary, so others are not read. */
public enum DurationSelection {
    /** Latencies and first tokens of all runs and of root runs. */
    ALL(true, true),
    /** Latencies and first tokens of root runs. */
    ROOTS(false, false),
    /** Latencies of root runs, first tokens of all runs and of root runs. */
    ROOT_LATENCIES(false, true);

    private final boolean latency;
    private final boolean firstToken;

    DurationSelection(boolean latency, boolean firstToken) {
        this.latency = latency;
        this.firstToken = firstToken;
    }

    /** Returns whether latencies of runs below roots are needed. */
    boolean latency() {
        return latency;
    }

    /** Returns whether first tokens of runs below roots are needed. */
    boolean firstToken() {
        return firstToken;
    }
}
