package dev.waybill.local.soak.replicas;

/**
 * A request that was not answered, or with a 5xx.
 *
 * @param sent when it was sent, or a little before
 * @param ended when that was known, or a little later
 */
record FailedRequest(ServiceReplica member, long sent, long ended, String what) {

    /** Whether the replica was not there while the request was under way. */
    boolean isExplained() {
        return member.wasAway(sent, ended);
    }

    @Override
    public String toString() {
        return member.name() + ": " + what;
    }
}
