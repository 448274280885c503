package dev.waybill.experiment.intake;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.CreateFeedbackRequest;
import dev.waybill.experiment.body.Bytes;
import dev.waybill.experiment.run.RunBatch;

/** The validated content of one intake request. */
record Batch(RunBatch runs, List<Attachment> attachments, List<Feedback> feedback) {

    static Batch of(RunBatch runs) {
        return new Batch(runs, List.of(), List.of());
    }

    /** A file that belongs to a run. */
    record Attachment(UUID runId, String name, @Nullable String contentType, Bytes content) {
    }

    /**
     * Feedback of a multipart request.
     *
     * @param request the parsed feedback; null if the part is not feedback on a run, and only its raw body is stored
     */
    record Feedback(UUID id, Bytes body, @Nullable CreateFeedbackRequest request) {
    }
}
