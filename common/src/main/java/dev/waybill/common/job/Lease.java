package dev.waybill.common.job;

import java.util.UUID;

/**
 * The right to process one row until the lease expires.
 *
 * @param tenantId workspace of the row
 * @param id id of the row
 * @param token fencing token that grows with every claim of the row; every later write compares it, so that a previous holder
 *        cannot write
 */
public record Lease(UUID tenantId, UUID id, long token) {

    /** Throws {@link LeaseLostException} unless a statement that compares the token has changed the row. */
    public void requireHeld(int changedRows) {
        if (changedRows != 1) {
            throw new LeaseLostException(this, null);
        }
    }
}
