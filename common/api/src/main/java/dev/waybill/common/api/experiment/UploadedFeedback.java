package dev.waybill.common.api.experiment;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Feedback in an upload. */
public record UploadedFeedback(
        @Schema(required = true, maxLength = 180, examples = "correctness") String key,
        @Schema(description = "true and false are 1 and 0.") @Nullable BigDecimal score,
        @Nullable String value,
        @Nullable String comment,
        @Nullable Source feedbackSource,
        @Nullable Config feedbackConfig,
        @Schema(description = "Default: now.") @Nullable Instant createdAt,
        @Schema(description = "Default: now.") @Nullable Instant modifiedAt,
        @Schema(description = "An object or a string.") @Nullable Object correction) {

    /** The source of feedback. */
    @Schema(name = "FeedbackSource")
    public record Source(@Schema(required = true, examples = "model") String type) {
    }

    /** The scale of scores. */
    @Schema(name = "FeedbackConfig")
    public record Config(
            @Schema(required = true, enumeration = {
                    "continuous", "categorical", "freeform" }) String type,
            @Nullable BigDecimal min,
            @Schema(description = "Not less than min.") @Nullable BigDecimal max,
            @Nullable List<Category> categories){
    }

    /** A named score. */
    @Schema(name = "FeedbackCategory")
    public record Category(@Schema(required = true) BigDecimal value, @Nullable String label) {
    }
}
