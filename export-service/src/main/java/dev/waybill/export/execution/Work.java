package dev.waybill.export.execution;

import io.smallrye.mutiny.Uni;

/** Something a worker holds the lease of. */
interface Work {

    /** Does it, and writes down what came of it; fails only when not even that was possible. */
    Uni<Void> perform();

    /** Lets go of it after {@link #perform} was cancelled, so that another worker need not wait for the lease to run out. */
    Uni<Void> giveBack();
}
