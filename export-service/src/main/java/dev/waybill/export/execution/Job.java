package dev.waybill.export.execution;

import io.smallrye.mutiny.Uni;

/** Work that this replica holds the lease of. */
interface Job {

    /** Performs the work and stores its result; fails only when the result cannot be stored. */
    Uni<Void> perform();

    /** Releases the lease after {@link #perform} was cancelled, so that another worker need not wait for its expiry. */
    Uni<Void> release();
}
