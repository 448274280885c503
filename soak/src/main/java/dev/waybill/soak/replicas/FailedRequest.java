package dev.waybill.soak.replicas;

/**
 * A request without a response or with status 5xx.
 *
 * @param sent the time before sending it, from {@link System#nanoTime}
 * @param ended the time after the failure
 */
record FailedRequest(ServiceReplica replica, long sent, long ended, String failure) {

    /** Returns whether the replica had an outage during the request. */
    boolean hasOutage() {
        return replica.wasUnavailable(sent, ended);
    }

    @Override
    public String toString() {
        return replica.name() + ": " + failure;
    }
}
