package dev.waybill.experiment.feedback;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Feedback to be stored.
 *
 * @param runId the run it is about; null when it is about the whole session
 * @param sessionId the session of that run, or that it is about
 */
public record NewFeedback(UUID id, @Nullable UUID runId, UUID sessionId, Score judgement) {
}
