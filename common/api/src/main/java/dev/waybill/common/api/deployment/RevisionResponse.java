package dev.waybill.common.api.deployment;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.Auditable;

/** A revision. */
public record RevisionResponse(UUID id, UUID deploymentId, Instant createdAt, Instant updatedAt, RevisionStatus status,
        @Nullable @Schema(description = "The error with advice, or the reason for waiting.") String statusMessage,
        SourceKind source, RevisionSource sourceRevisionConfig, RevisionPhases phases,
        @Nullable @Schema(description = "The commit; null before its checkout, for images, and for revisions of earlier releases.") RevisionCommit commit)
        implements
            Auditable {
}
