package dev.waybill.common.api.trace;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A thread (conversation): the traces of a project whose root runs have one thread id, within the times that were asked for.
 *
 * @param count how many traces
 * @param totalTokens of all runs of the traces, each token counted once
 */
public record ThreadResponse(
        String threadId,
        @Schema(description = "How many traces.") long count,
        @Schema(description = "How many traces failed.") long numErroredTurns,
        Instant startTime,
        Instant minStartTime,
        Instant maxStartTime,
        @Schema(description = "Seconds.") @Nullable Double latencyP50,
        @Schema(description = "Seconds.") @Nullable Double latencyP99,
        UUID traceId,
        UUID firstTraceId,
        UUID lastTraceId,
        @Schema(description = "The first 250 characters of the inputs of the first trace.") @Nullable String firstInputs,
        @Schema(description = "The first 250 characters of the outputs of the last trace.") @Nullable String lastOutputs,
        @Schema(description = "The first 250 characters of the newest error.") @Nullable String lastError,
        @Schema(description = "Of all runs of the traces, each token counted once.") @Nullable Long totalTokens,
        @Schema(description = "Of all runs of the traces, each cost counted once.") @Nullable BigDecimal totalCost) {
}
