package dev.waybill.common.filter;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** A run as stored, with the name of its session and its feedback. */
record SampleRun(UUID tenantId, UUID id, UUID sessionId, String sessionName, UUID traceId, @Nullable UUID parentRunId,
        @Nullable UUID referenceExampleId, @Nullable UUID manifestId, Instant startTime, @Nullable Instant endTime,
        @Nullable Instant firstTokenTime, @Nullable Long promptTokens, @Nullable Long completionTokens,
        @Nullable Long totalTokens, @Nullable BigDecimal promptCost, @Nullable BigDecimal completionCost,
        @Nullable BigDecimal totalCost, String name, String runType, String status, String dottedOrder,
        @Nullable String traceTier, @Nullable List<String> tags, @Nullable String error, @Nullable String inputs,
        @Nullable String outputs, @Nullable String metadata, List<Feedback> feedback) {

    /**
     * Feedback on the run.
     *
     * @param score a number whose text is unchanged after conversion to double
     */
    record Feedback(String key, @Nullable BigDecimal score) {
    }

    /** Returns the same run in another session. */
    SampleRun in(UUID tenant, UUID session, String name) {
        return new SampleRun(tenant, id, session, name, traceId, parentRunId, referenceExampleId, manifestId, startTime,
                endTime, firstTokenTime, promptTokens, completionTokens, totalTokens, promptCost, completionCost, totalCost,
                this.name, runType, status, dottedOrder, traceTier, tags, error, inputs, outputs, metadata, feedback);
    }

    /** Returns the same run with other inputs. */
    SampleRun withInputs(@Nullable String inputs) {
        return new SampleRun(tenantId, id, sessionId, sessionName, traceId, parentRunId, referenceExampleId, manifestId,
                startTime, endTime, firstTokenTime, promptTokens, completionTokens, totalTokens, promptCost, completionCost,
                totalCost, name, runType, status, dottedOrder, traceTier, tags, error, inputs, outputs, metadata, feedback);
    }

    /** Returns a minimal run with these values. */
    SampleRun minimal(@Nullable String inputs, List<Feedback> feedback) {
        return new SampleRun(tenantId, id, sessionId, sessionName, traceId, null, null, null, startTime, null, null, null,
                null, null, null, null, null, "run", "llm", "success", dottedOrder, null, null, null, inputs, null, null,
                feedback);
    }
}
