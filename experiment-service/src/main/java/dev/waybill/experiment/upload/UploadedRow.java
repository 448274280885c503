package dev.waybill.experiment.upload;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.feedback.FeedbackWriter;
import dev.waybill.experiment.feedback.ScoreReader;
import dev.waybill.experiment.json.Bytes;
import dev.waybill.experiment.json.JsonInput;
import dev.waybill.experiment.json.JsonMembers;
import dev.waybill.experiment.json.ViolationCollector;

/** One row of an upload (interface.md 2.8). */
final class UploadedRow {

    private static final String OBJECT = "must be an object";
    private static final JsonMembers<UploadedRow> MEMBERS = JsonMembers.<UploadedRow> table()
            .required("row_id", "inputs", "start_time", "end_time")
            .id("row_id", (row, id) -> row.rowId = id)
            .object("inputs", OBJECT, (row, json) -> row.inputs = json)
            .timestamp("start_time", (row, time) -> row.startTime = time)
            .timestamp("end_time", (row, time) -> row.endTime = time)
            .object("expected_outputs", OBJECT, (row, json) -> row.expectedOutputs = json)
            .object("actual_outputs", OBJECT, (row, json) -> row.actualOutputs = json)
            .object("run_metadata", OBJECT, (row, json) -> row.metadata = json)
            .member("evaluation_scores", (row, in) -> row.scores = ScoreReader.readList(in))
            .text("run_name", (row, text) -> row.runName = text)
            .text("error", (row, text) -> row.error = text)
            .build();

    @Nullable
    UUID rowId;
    @Nullable
    Bytes inputs;
    @Nullable
    Bytes expectedOutputs;
    @Nullable
    Bytes actualOutputs;
    @Nullable
    Bytes metadata;
    @Nullable
    Instant startTime;
    @Nullable
    Instant endTime;
    @Nullable
    String runName;
    @Nullable
    String error;
    List<FeedbackWriter.Score> scores = List.of();

    /** Reads the object at the input's position. */
    static UploadedRow read(JsonInput in) throws IOException {
        UploadedRow row = new UploadedRow();
        MEMBERS.read(row, in);
        return row;
    }

    /** Checks the row's times against the experiment's, where both are valid. */
    void checkTimes(@Nullable Instant experimentStart, @Nullable Instant experimentEnd, ViolationCollector violations) {
        checkWithin("start_time", startTime, experimentStart, experimentEnd, violations);
        checkWithin("end_time", endTime, experimentStart, experimentEnd, violations);
        if (startTime != null && endTime != null && endTime.isBefore(startTime)) {
            violations.invalid("end_time", "must not be before start_time");
        }
    }

    private static void checkWithin(String member, @Nullable Instant time, @Nullable Instant from, @Nullable Instant to,
            ViolationCollector violations) {
        if (time != null && from != null && time.isBefore(from)) {
            violations.invalid(member, "must not be before experiment_start_time");
        }
        if (time != null && to != null && time.isAfter(to)) {
            violations.invalid(member, "must not be after experiment_end_time");
        }
    }
}
