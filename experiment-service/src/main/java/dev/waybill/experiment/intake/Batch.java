package dev.waybill.experiment.intake;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.CreateFeedbackRequest;
import dev.waybill.experiment.body.Bytes;
import dev.waybill.experiment.run.RunBatch;

/** Everything one request brings, checked. */
record Batch(RunBatch runs, List<Attachment> attachments, List<Feedback> feedback) {

    static Batch of(RunBatch runs) {
        return new Batch(runs, List.of(), List.of());
    }

    /** A file that belongs to a run. */
    record Attachment(UUID runId, String name, @Nullable String contentType, Bytes content) {
    }

    /**
     * Feedback as it came.
     *
     * @param said what it says; null when it has not the shape of feedback on a run, and is kept as it came
     */
    record Feedback(UUID id, Bytes body, @Nullable CreateFeedbackRequest said) {
    }
}
