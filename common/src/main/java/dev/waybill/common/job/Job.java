package dev.waybill.common.job;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** The work on one claimed row. The work is cancelled when the lease is lost and when the replica stops. */
public interface Job {

    /**
     * Performs the work and stores its result, which may be a retry or a final failure. Fails only if the result cannot be
     * stored; the row is then claimed again when its lease expires.
     */
    Uni<Void> perform();

    /** Stores progress in the transaction of each renewal. */
    default Uni<Void> onRenewal(SqlConnection connection) {
        return Uni.createFrom().voidItem();
    }

    /** Cleans up after the lease was lost; another replica may hold the row, so nothing may be stored. */
    default Uni<Void> onLeaseLost() {
        return Uni.createFrom().voidItem();
    }

    /** Stores what the next worker needs, before the row of cancelled or unstarted work is released. */
    default Uni<Void> beforeRelease() {
        return Uni.createFrom().voidItem();
    }
}
