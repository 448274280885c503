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
import dev.waybill.experiment.run.Findings;
import dev.waybill.experiment.run.JsonValues;

/** What an upload says of the experiment as a whole (interface.md 2.8), as it is read member by member. */
final class ExperimentFields {

    /** In bytes: what is said of the experiment as a whole is in memory together, and answered with it. */
    static final int LARGEST_MEMBER = ScoreReader.MOST_BYTES_IN_A_LIST;

    private static final int LONGEST_NAME = 255;

    private final JsonSource source;
    private final Findings found;
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
    // What was given but is wrong is not also missing.
    private boolean nameGiven;
    private boolean startGiven;
    private boolean endGiven;
    private boolean datasetGiven;

    ExperimentFields(JsonSource source, Findings found) {
        this.source = source;
        this.found = found;
    }

    /** Reads the value the parser stands on. */
    void read(String member, JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        switch (member) {
            case "experiment_name" -> {
                nameGiven = true;
                name = name(json, member);
            }
            case "experiment_description" -> description = JsonValues.text(json, member, found);
            case "experiment_start_time" -> {
                startGiven = true;
                startTime = JsonValues.timestamp(json, member, found);
            }
            case "experiment_end_time" -> {
                endGiven = true;
                endTime = JsonValues.timestamp(json, member, found);
            }
            case "dataset_id" -> {
                datasetGiven = true;
                datasetId = JsonValues.id(json, member, found);
            }
            case "dataset_name" -> {
                datasetGiven = true;
                datasetName = name(json, member);
            }
            case "dataset_description" -> datasetDescription = JsonValues.text(json, member, found);
            case "experiment_metadata" -> metadata = metadata(json, member);
            case "summary_experiment_scores" -> scores = ScoreReader.readList(json, source, member, found);
            default -> json.skipChildren();
        }
    }

    /** Whether rows can be held against the experiment's time already, or never will be. */
    boolean knowsTimes() {
        return startGiven && endGiven;
    }

    /** Checks what the members must be together. */
    void check() {
        if (!nameGiven) {
            found.missing("experiment_name");
        }
        if (!startGiven) {
            found.missing("experiment_start_time");
        }
        if (!endGiven) {
            found.missing("experiment_end_time");
        }
        if (startTime != null && endTime != null && endTime.isBefore(startTime)) {
            found.invalid("experiment_end_time", "must not be before experiment_start_time");
        }
        if (!datasetGiven) {
            found.invalidHere("dataset_id or dataset_name must be given", "missing");
        }
    }

    private @Nullable String name(JsonParser json, String member) throws IOException {
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            return JsonValues.wrongType(json, member, "must be a string", found);
        }
        String text = json.getText();
        if (text.isBlank() || text.length() > LONGEST_NAME) {
            found.invalid(member, "must have 1 to " + LONGEST_NAME + " characters and not be blank");
        } else if (text.indexOf(0) >= 0) {
            found.invalid(member, "must not contain U+0000");
        }
        return JsonValues.storable(text);
    }

    private @Nullable Bytes metadata(JsonParser json, String member) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return JsonValues.wrongType(json, member, "must be an object", found);
        }
        long from = json.currentTokenLocation().getByteOffset();
        if (!skipReadable(json)) {
            found.at(member).invalidHere("must not hold a number whose exponent has more than ten digits", "invalid");
            return null;
        }
        long to = json.currentLocation().getByteOffset();
        if (to - from > LARGEST_MEMBER) {
            found.at(member).invalidHere("must have at most " + LARGEST_MEMBER + " bytes", "too_large");
            return null;
        }
        return source.slice(from, to);
    }

    // Metadata is bound when its session is answered, so its numbers have to be such as can be.
    private static boolean skipReadable(JsonParser json) throws IOException {
        boolean readable = true;
        for (int depth = 1; depth > 0;) {
            switch (json.nextToken()) {
                case START_OBJECT, START_ARRAY -> depth++;
                case END_OBJECT, END_ARRAY -> depth--;
                case VALUE_NUMBER_FLOAT -> readable &= isReadable(json);
                default -> {
                }
            }
        }
        return readable;
    }

    private static boolean isReadable(JsonParser json) throws IOException {
        try {
            json.getDecimalValue();
            return true;
        } catch (NumberFormatException _) {
            return false;
        }
    }
}
