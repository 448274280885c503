package dev.waybill.common.api.deployment;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.audit.Auditable;

/** A revision as the wire shows it. */
public record RevisionResponse(UUID id, UUID deploymentId, Instant createdAt, Instant updatedAt, RevisionStatus status,
        @Nullable @Schema(description = "What went wrong and what can be done about it, or what is waited for.") String statusMessage,
        SourceKind source, RevisionSource sourceRevisionConfig) implements Auditable {
}
