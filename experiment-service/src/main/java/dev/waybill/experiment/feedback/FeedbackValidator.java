package dev.waybill.experiment.feedback;

import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import dev.waybill.common.api.experiment.CreateFeedbackRequest;
import dev.waybill.common.api.experiment.CreateFeedbackRequest.FeedbackScale;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** Validates new feedback (interface.md 2.7). */
@Singleton
class FeedbackValidator implements BodyValidator<CreateFeedbackRequest> {

    @Override
    public Class<CreateFeedbackRequest> type() {
        return CreateFeedbackRequest.class;
    }

    @Override
    public List<Violation> violations(CreateFeedbackRequest request, Set<String> unread) {
        List<Violation> violations = FeedbackValues.violations(request.score(), request.value(), request.correction(), null);
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
