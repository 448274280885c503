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

/** The members of an upload other than its rows (interface.md 2.8), read one by one. */
final class ExperimentFields {

    /** Maximum size of one member in bytes: these members are in memory together and are part of the response. */
    static final int MAX_MEMBER_BYTES = ScoreReader.MAX_LIST_BYTES;

    private static final int MAX_NAME_LENGTH = 255;

    private final JsonSource source;
    private final Violations violations;
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
    List<Score> scores = List.of();
    // An invalid member must not also be reported as missing.
    private boolean nameGiven;
    private boolean startGiven;
    private boolean endGiven;
    private boolean datasetGiven;

    ExperimentFields(JsonSource source, Violations violations) {
        this.source = source;
        this.violations = violations;
    }

    /** Reads the value at the parser's position. */
    void read(String member, JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        switch (member) {
            case "experiment_name" -> {
                nameGiven = true;
                name = name(json, member);
            }
            case "experiment_description" -> description = JsonValues.text(json, member, violations);
            case "experiment_start_time" -> {
                startGiven = true;
                startTime = JsonValues.timestamp(json, member, violations);
            }
            case "experiment_end_time" -> {
                endGiven = true;
                endTime = JsonValues.timestamp(json, member, violations);
            }
            case "dataset_id" -> {
                datasetGiven = true;
                datasetId = JsonValues.id(json, member, violations);
            }
            case "dataset_name" -> {
                datasetGiven = true;
                datasetName = name(json, member);
            }
            case "dataset_description" -> datasetDescription = JsonValues.text(json, member, violations);
            case "experiment_metadata" -> metadata = metadata(json, member);
            case "summary_experiment_scores" -> scores = ScoreReader.readList(json, source, member, violations);
            default -> json.skipChildren();
        }
    }

    /** Returns whether both times have been read, valid or not, so that rows can be checked against them. */
    boolean hasReadTimes() {
        return startGiven && endGiven;
    }

    /** Checks required members and those that depend on each other. */
    void check() {
        if (!nameGiven) {
            violations.missing("experiment_name");
        }
        if (!startGiven) {
            violations.missing("experiment_start_time");
        }
        if (!endGiven) {
            violations.missing("experiment_end_time");
        }
        if (startTime != null && endTime != null && endTime.isBefore(startTime)) {
            violations.invalid("experiment_end_time", "must not be before experiment_start_time");
        }
        if (!datasetGiven) {
            violations.invalidHere("dataset_id or dataset_name is required", "missing");
        }
    }

    private @Nullable String name(JsonParser json, String member) throws IOException {
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            return JsonValues.wrongType(json, member, "must be a string", violations);
        }
        String text = json.getText();
        if (text.isBlank() || text.length() > MAX_NAME_LENGTH) {
            violations.invalid(member, "must have 1 to " + MAX_NAME_LENGTH + " characters and not be blank");
        } else if (text.indexOf(0) >= 0) {
            violations.invalid(member, "must not contain U+0000");
        }
        return JsonValues.storable(text);
    }

    private @Nullable Bytes metadata(JsonParser json, String member) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return JsonValues.wrongType(json, member, "must be an object", violations);
        }
        long from = json.currentTokenLocation().getByteOffset();
        if (!skipAndCheckNumbers(json)) {
            violations.at(member).invalidHere("must not contain a number whose exponent has more than ten digits", "invalid");
            return null;
        }
        long to = json.currentLocation().getByteOffset();
        if (to - from > MAX_MEMBER_BYTES) {
            violations.at(member).invalidHere("must have at most " + MAX_MEMBER_BYTES + " bytes", "too_large");
            return null;
        }
        return source.slice(from, to);
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
