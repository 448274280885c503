package dev.waybill.experiment.link;

import java.util.UUID;

/** The file that a link leads to. */
public record AttachmentKey(UUID tenantId, UUID runId, String name) {
}
