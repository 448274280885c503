package dev.waybill.common.api.experiment;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Creates feedback on a run or on a whole session.
 *
 * @param id id of the feedback; repeating an id replaces the feedback
 * @param runId the run; may be created later
 * @param sessionId the session, for feedback on a whole session
 */
public record CreateFeedbackRequest(
        @Schema(description = "Id of the feedback; repeating an id replaces the feedback. Generated if absent.") @Nullable UUID id,
        @Schema(description = "The run of the feedback; it may be created later.") @Nullable UUID runId,
        @Schema(description = "The session, for feedback on a whole session.") @Nullable UUID sessionId,
        @NotBlank(message = "must be given and not blank") @Size(max = 180, message = "must have at most 180 characters") @Pattern(regexp = TEXT, message = NO_ZERO) @Schema(examples = "correctness") String key,
        @Schema(implementation = BigDecimal.class, description = "true and false are 1 and 0.") @Nullable JsonNode score,
        @Schema(implementation = Object.class, description = "A string, number, boolean or object.") @Nullable JsonNode value,
        @Nullable String comment,
        @Schema(implementation = Object.class, description = "An object or a string.") @Nullable JsonNode correction,
        @Schema(implementation = Object.class, type = SchemaType.OBJECT, description = "The source of the feedback, with a type such as api or model.") @Nullable ObjectNode feedbackSource,
        @JsonAlias("feedbackConfig") @Nullable FeedbackScale feedbackConfig,
        @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable ObjectNode extra,
        @Schema(description = "Default: now.") @Nullable Instant createdAt,
        @Schema(description = "Default: now.") @Nullable Instant modifiedAt) {

    static final String TEXT = "[^\\x00]*";
    static final String NO_ZERO = "must not contain U+0000";

    /** The scale of a key's scores. */
    @Schema(name = "FeedbackScale")
    public record FeedbackScale(
            @NotBlank(message = "must be given") @Pattern(regexp = "continuous|categorical|freeform", message = "must be continuous, categorical or freeform") String type,
            @Nullable BigDecimal min,
            @Nullable BigDecimal max,
            @Nullable List<NamedScore> categories) {
    }

    /** A named score. */
    @Schema(name = "NamedScore")
    public record NamedScore(@jakarta.validation.constraints.NotNull(message = "must be given") BigDecimal value,
            @Nullable String label) {
    }
}
