package dev.waybill.experiment.intake;

import java.util.Arrays;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.CreateFeedbackRequest;
import dev.waybill.common.json.RequestBodyReader;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.body.Bytes;

/** Reads the feedback parts of a multipart request (docs/decisions/0012). */
@Singleton
class FeedbackPartReader {

    // The limit of {@code POST /feedback}, which also binds feedback to a tree; larger parts are only stored as raw bodies.
    private static final int MAX_BYTES = 2 << 20;

    private final RequestBodyReader reader;

    FeedbackPartReader(RequestBodyReader reader) {
        this.reader = reader;
    }

    /**
     * Parses a part; the id in the part's name applies unless the feedback has its own. Returns null if it is not feedback
     * on a run.
     */
    @Nullable
    CreateFeedbackRequest read(UUID id, Bytes part) {
        if (part.length() > MAX_BYTES) {
            return null;
        }
        try {
            byte[] json = Arrays.copyOfRange(part.array(), part.offset(), part.offset() + part.length());
            CreateFeedbackRequest request = reader.read(json, CreateFeedbackRequest.class);
            return request.runId() == null ? null : onRun(request, request.id() == null ? id : request.id());
        } catch (ProblemException e) {
            return null;
        }
    }

    // The session is that of the run, whatever the part contains.
    private static CreateFeedbackRequest onRun(CreateFeedbackRequest request, UUID id) {
        return new CreateFeedbackRequest(id, request.runId(), null, request.key(), request.score(), request.value(),
                request.comment(),
                request.correction(), request.feedbackSource(), request.feedbackConfig(), request.extra(), request.createdAt(),
                request.modifiedAt());
    }
}
