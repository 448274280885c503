package dev.waybill.common.lease;

import org.jspecify.annotations.Nullable;

/** Somebody else may hold the row now; whoever gets this stops and writes nothing more. */
public class LeaseLostException extends RuntimeException {

    public LeaseLostException(Lease lease, @Nullable Throwable cause) {
        super("the lease on row " + lease.id() + " with token " + lease.token() + " is lost", cause);
    }
}
