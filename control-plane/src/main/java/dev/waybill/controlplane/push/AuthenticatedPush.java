package dev.waybill.controlplane.push;

import java.util.List;

import dev.waybill.controlplane.integration.Integration;

/**
 * A delivery whose signature was verified.
 *
 * @param id the delivery id that the sender chose
 * @param builds whether the event can trigger a build: a push that does not delete its branch
 * @param bodySha256 identifies repeated deliveries of one body under another id
 * @param signers the integrations whose webhook secret matches the signature
 */
record AuthenticatedPush(String id, boolean builds, PushEvent event, byte[] bodySha256, List<Integration> signers) {
}
