package dev.waybill.experiment.feedback;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Feedback to insert.
 *
 * @param runId the run; null for feedback on the whole session
 * @param sessionId the run's session, or the session that the feedback is on
 */
public record NewFeedback(UUID id, @Nullable UUID runId, UUID sessionId, Score score) {
}
