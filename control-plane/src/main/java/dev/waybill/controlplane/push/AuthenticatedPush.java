package dev.waybill.controlplane.push;

import java.util.List;

import dev.waybill.controlplane.integration.Integration;

/**
 * A delivery whose sender is known.
 *
 * @param id what its sender calls it
 * @param builds whether it tells of something that may be built: a push, and not of a branch's end
 * @param bodySha256 the same body under another id is the same delivery
 * @param signers the integrations whose secret fits
 */
record AuthenticatedPush(String id, boolean builds, PushEvent event, byte[] bodySha256, List<Integration> signers) {
}
