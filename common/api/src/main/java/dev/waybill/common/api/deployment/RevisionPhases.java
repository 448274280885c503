package dev.waybill.common.api.deployment;

import java.time.Instant;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of each phase of a revision; null for phases that it has not reached, and for revisions of earlier releases.
 *
 * @param endedAt when it was deployed, failed, was skipped or interrupted
 */
@Schema(name = "RevisionPhases")
public record RevisionPhases(
        @Schema(description = "When it was created and waited for a rollout.") Instant queuedAt,
        @Nullable @Schema(description = "When its build began.") Instant buildingAt,
        @Nullable @Schema(description = "When its deployment began.") Instant deployingAt,
        @Nullable @Schema(description = "When its application was started and its health was checked.") Instant healthCheckAt,
        @Nullable @Schema(description = "When it was deployed, failed, was skipped or interrupted; `status` says which.") Instant endedAt) {
}
