package dev.waybill.common.api.trace;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonRawValue;

/**
 * A stored run; its JSON members are returned as the text that was received.
 *
 * @param status {@code success}, {@code error}, or {@code pending} until an end time is received
 * @param parentRunIds from the root to the direct parent
 * @param totalCost costs are decimals written as strings, so that no client rounds them
 */
public record RunResponse(
        UUID id,
        @Schema(examples = "answer") String name,
        @Schema(examples = "chain") String runType,
        Instant startTime,
        @Nullable Instant endTime,
        @Nullable Instant firstTokenTime,
        @Schema(enumeration = {
                "pending", "success", "error" }) String status,
        @Nullable String error,
        @JsonRawValue @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable String inputs,
        @JsonRawValue @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable String outputs,
        @JsonRawValue @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable String extra,
        @JsonRawValue @Schema(implementation = Object[].class) @Nullable String events,
        @JsonRawValue @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable String serialized,
        @JsonRawValue @Schema(implementation = Object.class, type = SchemaType.OBJECT, description = "Copy of the metadata in extra.") @Nullable String metadata,
        @Nullable List<String> tags,
        UUID traceId,
        @Schema(description = "Start time and id of every run from the root to this run, joined by dots.") String dottedOrder,
        @Nullable UUID parentRunId,
        @Schema(description = "From the root to the direct parent.") List<UUID> parentRunIds,
        @Schema(description = "Whether it is the first run of its trace.") boolean isRoot,
        UUID tenantId,
        UUID sessionId,
        @Nullable String sessionName,
        @Nullable UUID referenceExampleId,
        @Nullable Long promptTokens,
        @Nullable Long completionTokens,
        @Nullable Long totalTokens,
        @JsonFormat(shape = JsonFormat.Shape.STRING) @Schema(implementation = String.class, examples = "0.001250000") @Nullable BigDecimal promptCost,
        @JsonFormat(shape = JsonFormat.Shape.STRING) @Schema(implementation = String.class, examples = "0.001250000") @Nullable BigDecimal completionCost,
        @JsonFormat(shape = JsonFormat.Shape.STRING) @Schema(implementation = String.class, examples = "0.001250000") @Nullable BigDecimal totalCost,
        @Schema(description = "Seconds from start to end.", examples = "1.25") @Nullable Double latency,
        @JsonRawValue @Schema(implementation = FeedbackByKey.class, description = "Feedback statistics of the run by key; null if there is no feedback.") @Nullable String feedbackStats,
        @Schema(description = "Links to the files of the run by attachment.<name>; null if there are none.") @Nullable Map<String, FileLink> s3Urls,
        @Schema(description = "The thread (conversation): session_id, thread_id or conversation_id of the metadata.") @Nullable String threadId,
        @Schema(description = "The text of inputs to show in a list, up to 250 characters: the last message of the user, else the first text.") @Nullable String inputsPreview,
        @Schema(description = "The text of outputs to show in a list, up to 250 characters: the last message of the model, else the first text.") @Nullable String outputsPreview,
        @Nullable UUID manifestId,
        @Nullable String traceTier,
        String appPath){

    /**
     * A link to download a file of the run without a key for a limited time.
     *
     * @param presignedUrl relative to the URL of the service
     */
    public record FileLink(
            @Schema(examples = "/api/v1/public/attachments/AZ...") String presignedUrl,
            @Schema(examples = "image/png") @Nullable String mimeType) {
    }

    /** Statistics by key. */
    @Schema(name = "FeedbackByKey")
    public interface FeedbackByKey extends Map<String, FeedbackStatistics> {
    }
}
