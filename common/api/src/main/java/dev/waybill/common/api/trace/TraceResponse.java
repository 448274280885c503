package dev.waybill.common.api.trace;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonFormat;

/**
 * The runs of a trace without their values, as a tree in depth-first order: parents before their children, siblings by
 * start time.
 *
 * @param sessionId session of the first run
 * @param referenceDatasetId dataset of the session, if it is an experiment
 * @param referenceExampleId example that the root run was executed for
 * @param runCount number of stored runs of the trace
 * @param truncated whether {@code runs} has only the first of them by start time
 */
public record TraceResponse(
        UUID traceId,
        @Schema(description = "The session of the first run.") UUID sessionId,
        @Nullable String sessionName,
        @Schema(description = "The dataset of the session; null if the session is no experiment.") @Nullable UUID referenceDatasetId,
        @Schema(description = "The example that the root run was executed for.") @Nullable UUID referenceExampleId,
        @Schema(description = "Number of stored runs of the trace.") long runCount,
        @Schema(description = "Whether runs has only the first 20,000 of them by start time.") boolean truncated,
        @Schema(description = "In depth-first order: parents before their children, siblings by start time.") List<TraceRun> runs) {

    /**
     * A run of the trace.
     *
     * @param parentRunId as stored; its run may be missing
     * @param depth number of ancestors in {@code runs}; a run without its parent is a root
     */
    @Schema(name = "TraceRun")
    public record TraceRun(
            UUID id,
            @Schema(description = "As stored; a run whose parent is missing has depth 0.") @Nullable UUID parentRunId,
            @Schema(description = "Number of ancestors in runs.") int depth,
            @Schema(description = "The first 200 characters.") String name,
            @Schema(description = "The first 100 characters.") String runType,
            @Schema(enumeration = {
                    "pending", "success", "error" }) String status,
            Instant startTime,
            @Nullable Instant endTime,
            @Nullable Instant firstTokenTime,
            @Schema(description = "The first 200 characters.") @Nullable String error,
            @Schema(description = "Tokens and costs of the run itself, as sent.") @Nullable Long promptTokens,
            @Nullable Long completionTokens,
            @Nullable Long totalTokens,
            @JsonFormat(shape = JsonFormat.Shape.STRING) @Schema(implementation = String.class, examples = "0.001250000") @Nullable BigDecimal totalCost){

        /** Returns the run at another depth. */
        public TraceRun atDepth(int newDepth) {
            return newDepth == depth ? this
                    : new TraceRun(id, parentRunId, newDepth, name, runType, status, startTime, endTime, firstTokenTime, error,
                            promptTokens, completionTokens, totalTokens, totalCost);
        }
    }
}
