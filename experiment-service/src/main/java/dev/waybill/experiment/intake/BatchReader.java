package dev.waybill.experiment.intake;

import java.util.List;

import jakarta.inject.Singleton;

import dev.waybill.experiment.body.Body;
import dev.waybill.experiment.body.MultipartParser;
import dev.waybill.experiment.run.RunBatch;
import dev.waybill.experiment.run.RunFields;
import dev.waybill.experiment.run.RunReader;
import dev.waybill.experiment.run.RunValidator;
import dev.waybill.experiment.run.Violations;

/**
 * Parses and validates batches. A batch with any violation is rejected as a whole, and the response lists all violations up
 * to a limit.
 */
@Singleton
class BatchReader {

    // Every member of every run in a large batch may be invalid; violations beyond the limit are only counted.
    private static final int MAX_VIOLATIONS = 1_000;

    private final RunReader reader;
    private final FeedbackPartReader feedbackReader;
    private final long maxAttachmentSize;

    BatchReader(RunReader reader, FeedbackPartReader feedbackReader, IntakeConfig config) {
        this.reader = reader;
        this.feedbackReader = feedbackReader;
        this.maxAttachmentSize = config.maxAttachmentSize().asLongValue();
    }

    /** Reads a body of {@code /runs/multipart}. */
    Batch readMultipart(Body body) {
        Violations violations = Violations.upTo(MAX_VIOLATIONS);
        Batch batch = new MultipartReader(reader, feedbackReader, maxAttachmentSize, violations)
                .read(MultipartParser.parse(body));
        violations.throwIfAny();
        return batch;
    }

    /** Reads a body of {@code /runs/batch}. */
    Batch readJson(Body body) {
        Violations violations = Violations.upTo(MAX_VIOLATIONS);
        RunBatch runs = reader.readBatch(body.content(), violations);
        for (int i = 0; i < runs.posts().size(); i++) {
            RunValidator.checkNew(runs.posts().get(i), violations.at("post", i));
        }
        for (int i = 0; i < runs.patches().size(); i++) {
            RunValidator.checkPatch(runs.patches().get(i), violations.at("patch", i));
        }
        violations.throwIfAny();
        return Batch.of(runs);
    }

    /** Reads a body of {@code POST /runs} or {@code PATCH /runs/{id}}; the caller throws the violations. */
    RunFields readRun(Body body, Violations violations) {
        return reader.readRun(body.content(), violations);
    }

    static Batch ofPost(RunFields run) {
        return Batch.of(new RunBatch(List.of(run), List.of()));
    }

    static Batch ofPatch(RunFields run) {
        return Batch.of(new RunBatch(List.of(), List.of(run)));
    }
}
