package dev.waybill.common.lease;

import java.util.UUID;

/**
 * The right to work on one row, until it is not renewed any more.
 *
 * @param tenantId the workspace of the row
 * @param id the row
 * @param token grows with every claim of the row; every later write compares it, so an older holder cannot write
 */
public record Lease(UUID tenantId, UUID id, long token) {
}
