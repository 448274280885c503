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
import dev.waybill.experiment.feedback.Score;
import dev.waybill.experiment.feedback.NewFeedback;
import dev.waybill.experiment.run.FinishedRun;
import dev.waybill.experiment.run.RunFields;
import dev.waybill.experiment.run.TraceWriter;
import io.smallrye.mutiny.Uni;

/** Makes of each row an example, a run on it, and the run's feedback. */
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

    Uni<Void> write(UploadContext to, List<RowFields> rows) {
        List<UploadedExample> told = rows.stream()
                .map(row -> new UploadedExample(UploadReader.require(row.rowId), UploadReader.require(row.inputs),
                        row.expectedOutputs))
                .toList();
        return examples.put(to.connection(), to.tenantId(), to.place(), told, to.now())
                .chain(exampleIds -> write(to, rows, exampleIds));
    }

    /** Feedback on the experiment as a whole. */
    Uni<Void> writeSummary(UploadContext to, List<Score> scores) {
        List<NewFeedback> told = scores.stream()
                .map(score -> new NewFeedback(ids.newId(), null, to.sessionId(), score))
                .toList();
        return feedback.insert(to.connection(), to.tenantId(), told, to.now());
    }

    private Uni<Void> write(UploadContext to, List<RowFields> rows, Map<UUID, UUID> exampleIds) {
        List<RunFields> told = new ArrayList<>(rows.size());
        List<NewFeedback> scores = new ArrayList<>();
        for (RowFields row : rows) {
            UUID runId = ids.newId();
            UUID exampleId = UploadReader.require(exampleIds.get(UploadReader.require(row.rowId)));
            told.add(RunFields.of(run(to, row, runId, exampleId)));
            row.scores.forEach(score -> scores.add(new NewFeedback(ids.newId(), runId, to.sessionId(), score)));
        }
        return runs.insert(to.connection(), to.tenantId(), told)
                .chain(() -> feedback.insert(to.connection(), to.tenantId(), scores, to.now()));
    }

    private static FinishedRun run(UploadContext to, RowFields row, UUID runId, UUID exampleId) {
        Instant startTime = UploadReader.require(row.startTime);
        return new FinishedRun(runId, to.sessionId(), exampleId, row.runName == null ? to.experimentName() : row.runName,
                startTime, UploadReader.require(row.endTime), row.error, UploadReader.require(row.inputs), row.actualOutputs,
                row.metadata);
    }
}
