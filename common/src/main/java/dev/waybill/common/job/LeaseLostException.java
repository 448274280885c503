package dev.waybill.common.job;

import org.jspecify.annotations.Nullable;

/** The lease was lost and another replica may hold the row; the receiver must stop and write nothing. */
public class LeaseLostException extends RuntimeException {

    public LeaseLostException(Lease lease, @Nullable Throwable cause) {
        super("the lease on row " + lease.id() + " with token " + lease.token() + " is lost", cause);
    }
}
