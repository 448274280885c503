package dev.waybill.experiment.upload;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.experiment.body.Bytes;
import dev.waybill.experiment.body.JsonSource;
import dev.waybill.experiment.feedback.Score;
import dev.waybill.experiment.feedback.ScoreReader;
import dev.waybill.experiment.run.JsonValues;
import dev.waybill.experiment.run.Violations;

/** One row of an upload (interface.md 2.8). */
final class RowFields {

    private final JsonParser json;
    private final JsonSource source;
    private final Violations violations;
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
    List<Score> scores = List.of();
    // An invalid member must not also be reported as missing.
    private boolean rowIdGiven;
    private boolean inputsGiven;
    private boolean startGiven;
    private boolean endGiven;

    private RowFields(JsonParser json, JsonSource source, Violations violations) {
        this.json = json;
        this.source = source;
        this.violations = violations;
    }

    /** Reads the object at the parser's position and reports missing members. */
    static RowFields read(JsonParser json, JsonSource source, Violations violations) throws IOException {
        RowFields row = new RowFields(json, source, violations);
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String member = json.currentName();
            if (json.nextToken() != JsonToken.VALUE_NULL) {
                row.read(member);
            }
        }
        row.checkPresence();
        return row;
    }

    /** Checks the row's times against the experiment's, where both are valid. */
    void checkTimes(@Nullable Instant experimentStart, @Nullable Instant experimentEnd) {
        checkWithin("start_time", startTime, experimentStart, experimentEnd);
        checkWithin("end_time", endTime, experimentStart, experimentEnd);
        if (startTime != null && endTime != null && endTime.isBefore(startTime)) {
            violations.invalid("end_time", "must not be before start_time");
        }
    }

    private void checkWithin(String member, @Nullable Instant time, @Nullable Instant from, @Nullable Instant to) {
        if (time != null && from != null && time.isBefore(from)) {
            violations.invalid(member, "must not be before experiment_start_time");
        }
        if (time != null && to != null && time.isAfter(to)) {
            violations.invalid(member, "must not be after experiment_end_time");
        }
    }

    private void read(String member) throws IOException {
        switch (member) {
            case "row_id" -> {
                rowIdGiven = true;
                rowId = JsonValues.id(json, member, violations);
            }
            case "inputs" -> {
                inputsGiven = true;
                inputs = object(member);
            }
            case "start_time" -> {
                startGiven = true;
                startTime = JsonValues.timestamp(json, member, violations);
            }
            case "end_time" -> {
                endGiven = true;
                endTime = JsonValues.timestamp(json, member, violations);
            }
            case "expected_outputs" -> expectedOutputs = object(member);
            case "actual_outputs" -> actualOutputs = object(member);
            case "run_metadata" -> metadata = object(member);
            case "evaluation_scores" -> scores = ScoreReader.readList(json, source, member, violations);
            case "run_name" -> runName = JsonValues.text(json, member, violations);
            case "error" -> error = JsonValues.text(json, member, violations);
            default -> json.skipChildren();
        }
    }

    private void checkPresence() {
        if (!rowIdGiven) {
            violations.missing("row_id");
        }
        if (!inputsGiven) {
            violations.missing("inputs");
        }
        if (!startGiven) {
            violations.missing("start_time");
        }
        if (!endGiven) {
            violations.missing("end_time");
        }
    }

    private @Nullable Bytes object(String member) throws IOException {
        return json.currentToken() == JsonToken.START_OBJECT ? source.readRaw(json)
                : JsonValues.wrongType(json, member, "must be an object", violations);
    }
}
