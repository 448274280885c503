package dev.waybill.experiment.feedback;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.api.experiment.CreateFeedbackRequest;
import dev.waybill.common.api.experiment.CreateFeedbackRequest.FeedbackScale;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;
import dev.waybill.experiment.json.Texts;

/** Validates and converts members of feedback that may have several types. */
final class FeedbackValues {

    private FeedbackValues() {
    }

    /** Returns violations for members of an unsupported type. */
    static List<Violation> violations(@Nullable JsonNode score, @Nullable JsonNode value, @Nullable JsonNode correction,
            @Nullable JsonNode comment) {
        List<Violation> violations = new ArrayList<>();
        if (score != null && !score.isNull() && !score.isBoolean()
                && !(score.isNumber() && Double.isFinite(score.doubleValue()))) {
            violations.add(Violation.of("score", "must be a number, true or false", "type"));
        }
        if (value != null && value.isArray()) {
            violations.add(Violation.of("value", "must be a string, number, boolean or object", "type"));
        }
        if (correction != null && !correction.isNull() && !correction.isObject() && !correction.isTextual()) {
            violations.add(Violation.of("correction", "must be an object or a string", "type"));
        }
        if (comment != null && !comment.isNull() && !comment.isTextual()) {
            violations.add(Violation.of("comment", "must be a string", "type"));
        }
        return violations;
    }

    /** Returns the score as it is stored: true and false are 1 and 0. */
    static @Nullable Double score(@Nullable JsonNode score) {
        if (score == null || score.isNull()) {
            return null;
        }
        return score.isBoolean() ? (Double) (score.booleanValue() ? 1.0 : 0.0) : (Double) score.doubleValue();
    }

    /** Returns JSON as it is stored. */
    static @Nullable String json(@Nullable JsonNode node) {
        return node == null || node.isNull() ? null : node.toString();
    }

    /** Returns text as it is stored. */
    static @Nullable String text(@Nullable String text) {
        return text == null ? null : Texts.storable(text);
    }

    /** Returns the label that statistics count: text unchanged, anything else as JSON. */
    static @Nullable String label(@Nullable JsonNode value) {
        if (value == null || value.isNull()) {
            return null;
        }
        return Texts.storable(value.isTextual() ? value.textValue() : value.toString());
    }

    /** Validates new feedback (interface.md 2.7). */
    @Singleton
    static class Validator implements BodyValidator<CreateFeedbackRequest> {

        @Override
        public Class<CreateFeedbackRequest> type() {
            return CreateFeedbackRequest.class;
        }

        @Override
        public List<Violation> violations(CreateFeedbackRequest request, Set<String> unread) {
            List<Violation> violations = FeedbackValues.violations(request.score(), request.value(), request.correction(),
                    null);
            if (request.runId() == null && request.sessionId() == null && !unread.contains("session_id")) {
                violations.add(Violation.of("run_id", "or session_id is required", "missing"));
            }
            FeedbackScale scale = request.feedbackConfig();
            if (scale != null && scale.min() != null && scale.max() != null && scale.min().compareTo(scale.max()) > 0) {
                violations.add(Violation.of("feedback_config", "must not have a max less than its min", "invalid"));
            }
            return violations;
        }
    }
}
