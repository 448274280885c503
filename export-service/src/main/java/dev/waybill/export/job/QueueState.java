package dev.waybill.export.job;

/**
 * How much waits, over all workspaces.
 *
 * @param waitingExports that are ordered and do not run yet
 * @param runningExports that run
 * @param queueAgeSeconds for how long the export that waits longest for its turn has had a run that is due and that nobody
 *        worked on; 0 when none waits
 * @param lagSeconds how long ago the oldest export that has not ended was ordered; 0 when there is none
 */
public record QueueState(long waitingExports, long runningExports, double queueAgeSeconds, double lagSeconds) {

    /** Nothing waits. */
    public static final QueueState EMPTY = new QueueState(0, 0, 0, 0);
}
