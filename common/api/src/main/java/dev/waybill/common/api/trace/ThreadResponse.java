package dev.waybill.common.api.trace;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A thread (conversation): the traces of a project whose root runs have the same thread id, within the requested times.
 *
 * @param count number of traces
 * @param totalTokens tokens of all runs of the traces, each counted once
 */
public record ThreadResponse(
        String threadId,
        @Schema(description = "Number of traces.") long count,
        @Schema(description = "Number of failed traces.") long numErroredTurns,
        Instant startTime,
        Instant minStartTime,
        Instant maxStartTime,
        @Schema(description = "Seconds.") @Nullable Double latencyP50,
        @Schema(description = "Seconds.") @Nullable Double latencyP99,
        UUID traceId,
        UUID firstTraceId,
        UUID lastTraceId,
        @Schema(description = "The inputs of the first trace as text, up to 250 characters.") @Nullable String firstInputs,
        @Schema(description = "The outputs of the last trace as text, up to 250 characters.") @Nullable String lastOutputs,
        @Schema(description = "The first 250 characters of the newest error.") @Nullable String lastError,
        @Schema(description = "Tokens of all runs of the traces, each counted once.") @Nullable Long totalTokens,
        @Schema(description = "Costs of all runs of the traces, each counted once.") @Nullable BigDecimal totalCost) {
}
