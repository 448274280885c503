package dev.waybill.export.job;

/**
 * Number and age of unfinished exports of all workspaces.
 *
 * @param waitingExports number of exports in status Created
 * @param runningExports number of exports in status Running
 * @param queueAgeSeconds longest time that a running export has had a due run without a worker; 0 when there is none
 * @param lagSeconds age of the oldest unfinished export; 0 when there is none
 */
public record QueueState(long waitingExports, long runningExports, double queueAgeSeconds, double lagSeconds) {

    /** The state without any unfinished export. */
    public static final QueueState EMPTY = new QueueState(0, 0, 0, 0);
}
