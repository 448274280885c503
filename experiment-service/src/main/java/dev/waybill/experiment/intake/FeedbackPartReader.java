package dev.waybill.experiment.intake;

import java.util.Arrays;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.CreateFeedbackRequest;
import dev.waybill.common.json.RequestBodyReader;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.body.Bytes;

/** Reads feedback that came in a batch with runs (docs/decisions/0012). */
@Singleton
class FeedbackPartReader {

    // As where feedback comes alone, since it is bound as a tree; what is larger is kept as it came.
    private static final int LARGEST = 2 << 20;

    private final RequestBodyReader reader;

    FeedbackPartReader(RequestBodyReader reader) {
        this.reader = reader;
    }

    /** What the part says, under the id of its name unless it has its own; null when it is no feedback on a run. */
    @Nullable
    CreateFeedbackRequest read(UUID id, Bytes part) {
        if (part.length() > LARGEST) {
            return null;
        }
        try {
            byte[] json = Arrays.copyOfRange(part.array(), part.offset(), part.offset() + part.length());
            CreateFeedbackRequest said = reader.read(json, CreateFeedbackRequest.class);
            return said.runId() == null ? null : onRun(said, said.id() == null ? id : said.id());
        } catch (ProblemException e) {
            return null;
        }
    }

    // Its session is that of its run, whatever it says.
    private static CreateFeedbackRequest onRun(CreateFeedbackRequest said, UUID id) {
        return new CreateFeedbackRequest(id, said.runId(), null, said.key(), said.score(), said.value(), said.comment(),
                said.correction(), said.feedbackSource(), said.feedbackConfig(), said.extra(), said.createdAt(),
                said.modifiedAt());
    }
}
