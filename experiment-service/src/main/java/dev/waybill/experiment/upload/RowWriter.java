package dev.waybill.experiment.upload;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.id.Ids;
import dev.waybill.experiment.example.ExampleWriter;
import dev.waybill.experiment.example.UploadedExample;
import dev.waybill.experiment.feedback.FeedbackWriter;
import dev.waybill.experiment.feedback.NewFeedback;
import dev.waybill.experiment.feedback.Score;
import dev.waybill.experiment.run.FinishedRun;
import dev.waybill.experiment.run.RunFields;
import dev.waybill.experiment.run.TraceWriter;
import io.smallrye.mutiny.Uni;

/** Writes each row as an example, a run on the example, and the run's feedback. */
@Singleton
class RowWriter {

    private final ExampleWriter examples;
    private final TraceWriter runs;
    private final FeedbackWriter feedback;
    private final Ids ids;

    RowWriter(ExampleWriter examples, TraceWriter runs, FeedbackWriter feedback, Ids ids) {
        this.examples = examples;
        this.runs = runs;
        this.feedback = feedback;
        this.ids = ids;
    }

    Uni<Void> write(UploadContext context, List<RowFields> rows) {
        List<UploadedExample> newExamples = rows.stream()
                .map(row -> new UploadedExample(UploadReader.require(row.rowId), UploadReader.require(row.inputs),
                        row.expectedOutputs))
                .toList();
        return examples.put(context.connection(), context.tenantId(), context.allocation(), newExamples, context.now())
                .chain(exampleIds -> write(context, rows, exampleIds));
    }

    /** Writes the feedback on the experiment as a whole. */
    Uni<Void> writeSummary(UploadContext context, List<Score> scores) {
        List<NewFeedback> newFeedback = scores.stream()
                .map(score -> new NewFeedback(ids.newId(), null, context.sessionId(), score))
                .toList();
        return feedback.insert(context.connection(), context.tenantId(), newFeedback, context.now());
    }

    private Uni<Void> write(UploadContext context, List<RowFields> rows, Map<UUID, UUID> exampleIds) {
        List<RunFields> newRuns = new ArrayList<>(rows.size());
        List<NewFeedback> scores = new ArrayList<>();
        for (RowFields row : rows) {
            UUID runId = ids.newId();
            UUID exampleId = UploadReader.require(exampleIds.get(UploadReader.require(row.rowId)));
            newRuns.add(RunFields.of(run(context, row, runId, exampleId)));
            row.scores.forEach(score -> scores.add(new NewFeedback(ids.newId(), runId, context.sessionId(), score)));
        }
        return runs.insert(context.connection(), context.tenantId(), newRuns)
                .chain(() -> feedback.insert(context.connection(), context.tenantId(), scores, context.now()));
    }

    private static FinishedRun run(UploadContext context, RowFields row, UUID runId, UUID exampleId) {
        Instant startTime = UploadReader.require(row.startTime);
        return new FinishedRun(runId, context.sessionId(), exampleId,
                row.runName == null ? context.experimentName() : row.runName,
                startTime, UploadReader.require(row.endTime), row.error, UploadReader.require(row.inputs), row.actualOutputs,
                row.metadata);
    }
}
