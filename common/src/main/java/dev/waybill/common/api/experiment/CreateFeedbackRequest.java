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
 * Gives feedback on a run, or on a whole session.
 *
 * @param id the id it shall have; the same id again replaces what it said
 * @param runId the run; it need not be there yet
 * @param sessionId the session, when it is about no run
 */
public record CreateFeedbackRequest(
        @Schema(description = "The id it shall have; the same id again replaces what it said.") @Nullable UUID id,
        @Schema(description = "The run it is about; it need not be there yet.") @Nullable UUID runId,
        @Schema(description = "The session it is about, when it is about no run.") @Nullable UUID sessionId,
        @NotBlank(message = "must be given and not blank") @Size(max = 180, message = "must have at most 180 characters") @Pattern(regexp = TEXT, message = NO_ZERO) @Schema(examples = "correctness") String key,
        @Schema(implementation = BigDecimal.class, description = "true and false are 1 and 0.") @Nullable JsonNode score,
        @Schema(implementation = Object.class, description = "A string, number, boolean or object.") @Nullable JsonNode value,
        @Nullable String comment,
        @Schema(implementation = Object.class, description = "An object or a string.") @Nullable JsonNode correction,
        @Schema(implementation = Object.class, type = SchemaType.OBJECT, description = "Where it is from; with a type such as api or model.") @Nullable ObjectNode feedbackSource,
        @JsonAlias("feedbackConfig") @Nullable FeedbackScale feedbackConfig,
        @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable ObjectNode extra,
        @Schema(description = "Now when absent.") @Nullable Instant createdAt,
        @Schema(description = "Now when absent.") @Nullable Instant modifiedAt) {

    static final String TEXT = "[^\\x00]*";
    static final String NO_ZERO = "must not contain U+0000";

    /** How scores of a key are to be read. */
    @Schema(name = "FeedbackScale")
    public record FeedbackScale(
            @NotBlank(message = "must be given") @Pattern(regexp = "continuous|categorical|freeform", message = "must be continuous, categorical or freeform") String type,
            @Nullable BigDecimal min,
            @Nullable BigDecimal max,
            @Nullable List<NamedScore> categories) {
    }

    /** A score with a name. */
    @Schema(name = "NamedScore")
    public record NamedScore(@jakarta.validation.constraints.NotNull(message = "must be given") BigDecimal value,
            @Nullable String label) {
    }
}
