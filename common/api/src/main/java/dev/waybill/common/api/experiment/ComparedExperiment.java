package dev.waybill.common.api.experiment;

import java.util.Map;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** An experiment of a comparison: statistics of its root runs, and each of its feedback keys compared with the baseline. */
public record ComparedExperiment(
        UUID id,
        String name,
        long runCount,
        @Schema(description = "Seconds.") @Nullable Double latencyP50,
        @Schema(description = "0 to 1.") @Nullable Double errorRate,
        Map<String, KeyComparison> feedback) {
}
