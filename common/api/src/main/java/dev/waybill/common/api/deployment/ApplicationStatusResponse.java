package dev.waybill.common.api.deployment;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The state of a deployment's application; null where the engine does not know it, or without an active revision. */
public record ApplicationStatusResponse(UUID deploymentId,
        @Nullable @Schema(description = "The active revision.") UUID revisionId,
        @Schema(description = "The time of the measurement.") Instant observedAt,
        @Nullable @Schema(description = "Number of processes or pods, without workers.") Integer instances,
        @Nullable @Schema(description = "Number of instances that pass their health check.") Integer readyInstances,
        @Nullable @Schema(description = "How often instances were restarted after they had ended.") Long restarts,
        @Nullable @Schema(description = "Cores in use, with workers.") Double cpuCores,
        @Nullable @Schema(description = "Memory in use, with workers.") Long memoryBytes,
        @Nullable @Schema(description = "Requests of the last minute.") Long requestsPerMinute) {
}
