package dev.waybill.experiment.upload;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.id.Ids;
import dev.waybill.experiment.dataset.DatasetService;
import dev.waybill.experiment.example.ExampleWriter;
import dev.waybill.experiment.feedback.FeedbackWriter;
import dev.waybill.experiment.run.ReceivedRun;
import dev.waybill.experiment.run.TraceWriter;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

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

    Uni<Void> write(Context context, List<UploadedRow> rows) {
        List<ExampleWriter.UploadedExample> newExamples = rows.stream()
                .map(row -> new ExampleWriter.UploadedExample(UploadReader.require(row.rowId), UploadReader.require(row.inputs),
                        row.expectedOutputs))
                .toList();
        return examples.put(context.connection(), context.tenantId(), context.allocation(), newExamples, context.now())
                .chain(exampleIds -> write(context, rows, exampleIds));
    }

    /** Writes the feedback on the experiment as a whole. */
    Uni<Void> writeSummary(Context context, List<FeedbackWriter.Score> scores) {
        List<FeedbackWriter.NewFeedback> newFeedback = scores.stream()
                .map(score -> new FeedbackWriter.NewFeedback(ids.newId(), null, context.sessionId(), score))
                .toList();
        return feedback.insert(context.connection(), context.tenantId(), newFeedback, context.now());
    }

    private Uni<Void> write(Context context, List<UploadedRow> rows, Map<UUID, UUID> exampleIds) {
        List<ReceivedRun> newRuns = new ArrayList<>(rows.size());
        List<FeedbackWriter.NewFeedback> scores = new ArrayList<>();
        for (UploadedRow row : rows) {
            UUID runId = ids.newId();
            UUID exampleId = UploadReader.require(exampleIds.get(UploadReader.require(row.rowId)));
            newRuns.add(ReceivedRun.of(run(context, row, runId, exampleId)));
            row.scores.forEach(
                    score -> scores.add(new FeedbackWriter.NewFeedback(ids.newId(), runId, context.sessionId(), score)));
        }
        return runs.insert(context.connection(), context.tenantId(), newRuns)
                .chain(() -> feedback.insert(context.connection(), context.tenantId(), scores, context.now()));
    }

    private static ReceivedRun.Finished run(Context context, UploadedRow row, UUID runId, UUID exampleId) {
        Instant startTime = UploadReader.require(row.startTime);
        return new ReceivedRun.Finished(runId, context.sessionId(), exampleId,
                row.runName == null ? context.experimentName() : row.runName,
                startTime, UploadReader.require(row.endTime), row.error, UploadReader.require(row.inputs), row.actualOutputs,
                row.metadata);
    }

    /** The transaction, dataset and experiment that the rows of an upload are written to. */
    record Context(SqlConnection connection, UUID tenantId, DatasetService.TestRunAllocation allocation, UUID sessionId,
            String experimentName,
            Instant now) {
    }
}
