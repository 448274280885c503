package dev.waybill.experiment.link;

import java.util.UUID;

/** The attachment that a link points to. */
public record AttachmentKey(UUID tenantId, UUID runId, String name) {
}
