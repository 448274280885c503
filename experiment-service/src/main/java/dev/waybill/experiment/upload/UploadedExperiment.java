package dev.waybill.experiment.upload;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.experiment.feedback.FeedbackWriter;
import dev.waybill.experiment.feedback.ScoreReader;
import dev.waybill.experiment.json.Bytes;
import dev.waybill.experiment.json.JsonInput;
import dev.waybill.experiment.json.JsonMembers;
import dev.waybill.experiment.json.Texts;
import dev.waybill.experiment.json.ViolationCollector;

/** The members of an upload other than its rows (interface.md 2.8), read one by one. */
final class UploadedExperiment {

    /** Maximum size of one member in bytes: these members are in memory together and are part of the response. */
    static final int MAX_MEMBER_BYTES = ScoreReader.MAX_LIST_BYTES;

    private static final int MAX_NAME_LENGTH = 255;

    private static final JsonMembers<UploadedExperiment> MEMBERS = JsonMembers.<UploadedExperiment> table()
            .required("experiment_name", "experiment_start_time", "experiment_end_time")
            .member("experiment_name", (experiment, in) -> experiment.name = name(in))
            .text("experiment_description", (experiment, text) -> experiment.description = text)
            .timestamp("experiment_start_time", (experiment, time) -> {
                experiment.startGiven = true;
                experiment.startTime = time;
            })
            .timestamp("experiment_end_time", (experiment, time) -> {
                experiment.endGiven = true;
                experiment.endTime = time;
            })
            .id("dataset_id", (experiment, id) -> {
                experiment.datasetGiven = true;
                experiment.datasetId = id;
            })
            .member("dataset_name", (experiment, in) -> {
                experiment.datasetGiven = true;
                experiment.datasetName = name(in);
            })
            .text("dataset_description", (experiment, text) -> experiment.datasetDescription = text)
            .member("experiment_metadata", (experiment, in) -> experiment.metadata = metadata(in))
            .member("summary_experiment_scores", (experiment, in) -> experiment.scores = ScoreReader.readList(in))
            .member("results", (experiment, in) -> experiment.rows.read(experiment, in))
            .build();

    @Nullable
    String name;
    @Nullable
    String description;
    @Nullable
    Instant startTime;
    @Nullable
    Instant endTime;
    @Nullable
    UUID datasetId;
    @Nullable
    String datasetName;
    @Nullable
    String datasetDescription;
    @Nullable
    Bytes metadata;
    List<FeedbackWriter.Score> scores = List.of();
    // Rows can be checked against times that have been read, valid or not.
    private boolean startGiven;
    private boolean endGiven;
    private boolean datasetGiven;
    private final JsonMembers.Reader<UploadedExperiment> rows;

    /** @param rows reads the member {@code results} */
    UploadedExperiment(JsonMembers.Reader<UploadedExperiment> rows) {
        this.rows = rows;
    }

    /** Reads the upload's object. */
    void read(JsonInput in) throws IOException {
        MEMBERS.read(this, in);
    }

    /** Returns whether both times have been read, valid or not, so that rows can be checked against them. */
    boolean hasReadTimes() {
        return startGiven && endGiven;
    }

    /** Checks members that depend on each other. */
    void check(ViolationCollector violations) {
        if (startTime != null && endTime != null && endTime.isBefore(startTime)) {
            violations.invalid("experiment_end_time", "must not be before experiment_start_time");
        }
        if (!datasetGiven) {
            violations.invalidHere("dataset_id or dataset_name is required", "missing");
        }
    }

    private static @Nullable String name(JsonInput in) throws IOException {
        if (!in.is(JsonToken.VALUE_STRING)) {
            return in.wrongType("must be a string");
        }
        String text = in.parser().getText();
        if (text.isBlank() || text.length() > MAX_NAME_LENGTH) {
            in.violations().invalid(in.member(), "must have 1 to " + MAX_NAME_LENGTH + " characters and not be blank");
        } else if (text.indexOf(0) >= 0) {
            in.violations().invalid(in.member(), "must not contain U+0000");
        }
        return Texts.storable(text);
    }

    private static @Nullable Bytes metadata(JsonInput in) throws IOException {
        if (!in.is(JsonToken.START_OBJECT)) {
            return in.wrongType("must be an object");
        }
        long from = in.offset();
        ViolationCollector violations = in.violations().at(in.member());
        if (!skipAndCheckNumbers(in.parser())) {
            violations.invalidHere("must not contain a number whose exponent has more than ten digits", "invalid");
            return null;
        }
        if (in.lengthFrom(from) > MAX_MEMBER_BYTES) {
            violations.invalidHere("must have at most " + MAX_MEMBER_BYTES + " bytes", "too_large");
            return null;
        }
        return in.sliceFrom(from);
    }

    // Session responses bind the metadata to a tree, so its numbers must be parseable.
    private static boolean skipAndCheckNumbers(JsonParser json) throws IOException {
        boolean parseable = true;
        for (int depth = 1; depth > 0;) {
            switch (json.nextToken()) {
                case START_OBJECT, START_ARRAY -> depth++;
                case END_OBJECT, END_ARRAY -> depth--;
                case VALUE_NUMBER_FLOAT -> parseable &= isParseable(json);
                default -> {
                }
            }
        }
        return parseable;
    }

    private static boolean isParseable(JsonParser json) throws IOException {
        try {
            json.getDecimalValue();
            return true;
        } catch (NumberFormatException _) {
            return false;
        }
    }
}
