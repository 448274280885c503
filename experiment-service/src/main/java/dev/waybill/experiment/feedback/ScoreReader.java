package dev.waybill.experiment.feedback;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;

import dev.waybill.experiment.body.JsonSource;
import dev.waybill.experiment.run.JsonValues;
import dev.waybill.experiment.run.Violations;

/** Reads feedback objects of an upload (interface.md 2.7); unknown members are ignored. */
public final class ScoreReader {

    /** Maximum number of feedback objects in one list, which is in memory as a whole. */
    public static final int MAX_LIST_ENTRIES = 1000;

    /** Maximum size of one list in bytes. */
    public static final int MAX_LIST_BYTES = 2 << 20;

    private static final int MAX_KEY_LENGTH = 180;

    private final JsonParser json;
    private final JsonSource source;
    private final Violations violations;
    private boolean keyGiven;
    private @Nullable String key;
    private @Nullable Double score;
    private @Nullable String label;
    private @Nullable String comment;
    private @Nullable String correction;
    private @Nullable String feedbackSource;
    private @Nullable String config;
    private @Nullable Instant createdAt;
    private @Nullable Instant modifiedAt;

    private ScoreReader(JsonParser json, JsonSource source, Violations violations) {
        this.json = json;
        this.source = source;
        this.violations = violations;
    }

    /** Reads the list at the parser's position, the value of the member {@code name}; leaves out invalid objects. */
    public static List<Score> readList(JsonParser json, JsonSource source, String name, Violations violations)
            throws IOException {
        List<Score> scores = new ArrayList<>();
        if (json.currentToken() != JsonToken.START_ARRAY) {
            JsonValues.wrongType(json, name, "must be an array of feedback objects", violations);
            return scores;
        }
        long from = json.currentTokenLocation().getByteOffset();
        // Bytes beyond the limit are not copied, however large the list is.
        JsonSource limited = (start, end) -> (end - from > MAX_LIST_BYTES ? JsonSource.NOTHING : source).slice(start, end);
        int i = 0;
        for (; json.nextToken() != JsonToken.END_ARRAY; i++) {
            if (i >= MAX_LIST_ENTRIES || isTooLarge(json, from)) {
                json.skipChildren();
            } else if (json.currentToken() == JsonToken.START_OBJECT) {
                Score item = new ScoreReader(json, limited, violations.at(name, i)).read();
                if (item != null) {
                    scores.add(item);
                }
            } else {
                json.skipChildren();
                violations.at(name, i).invalidHere("must be an object", "type");
            }
        }
        if (i > MAX_LIST_ENTRIES) {
            violations.invalid(name, "must have at most " + MAX_LIST_ENTRIES + " entries");
        }
        if (isTooLarge(json, from)) {
            violations.at(name).invalidHere("must have at most " + MAX_LIST_BYTES + " bytes", "too_large");
        }
        return scores;
    }

    private static boolean isTooLarge(JsonParser json, long from) {
        return json.currentLocation().getByteOffset() - from > MAX_LIST_BYTES;
    }

    private @Nullable Score read() throws IOException {
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String member = json.currentName();
            if (json.nextToken() != JsonToken.VALUE_NULL) {
                read(member);
            }
        }
        if (!keyGiven) {
            violations.missing("key");
        } else if (key != null && (key.isBlank() || key.length() > MAX_KEY_LENGTH)) {
            violations.invalid("key", "must have 1 to " + MAX_KEY_LENGTH + " characters and not be blank");
        }
        if (key == null) {
            return null;
        }
        return new Score(key, score, label == null ? null : quote(label), label, comment, correction, feedbackSource, config,
                createdAt, modifiedAt);
    }

    private void read(String member) throws IOException {
        switch (member) {
            case "key" -> {
                key = JsonValues.text(json, member, violations);
                keyGiven = true;
            }
            case "score" -> score = score();
            case "value" -> label = JsonValues.text(json, member, violations);
            case "comment" -> comment = JsonValues.text(json, member, violations);
            case "correction" -> correction = correction();
            case "feedback_source" -> feedbackSource = feedbackSource();
            case "feedback_config" -> config = config();
            case "created_at" -> createdAt = JsonValues.timestamp(json, member, violations);
            case "modified_at" -> modifiedAt = JsonValues.timestamp(json, member, violations);
            default -> json.skipChildren();
        }
    }

    private @Nullable Double score() throws IOException {
        return switch (json.currentToken()) {
            case VALUE_TRUE -> (Double) 1.0;
            case VALUE_FALSE -> (Double) 0.0;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> JsonValues.number(json, "score", violations);
            default -> JsonValues.wrongType(json, "score", "must be a number, true or false", violations);
        };
    }

    private @Nullable String correction() throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> source.readRaw(json).toString();
            case VALUE_STRING -> quote(JsonValues.storable(json.getText()));
            default -> JsonValues.wrongType(json, "correction", "must be an object or a string", violations);
        };
    }

    private @Nullable String feedbackSource() throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return JsonValues.wrongType(json, "feedback_source", "must be an object", violations);
        }
        long from = json.currentTokenLocation().getByteOffset();
        Violations nested = violations.at("feedback_source");
        boolean typeGiven = false;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String member = json.currentName();
            if (json.nextToken() != JsonToken.VALUE_NULL && member.equals("type")) {
                JsonValues.text(json, member, nested);
                typeGiven = true;
            }
            json.skipChildren();
        }
        if (!typeGiven) {
            nested.missing("type");
        }
        return source.slice(from, json.currentLocation().getByteOffset()).toString();
    }

    private @Nullable String config() throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return JsonValues.wrongType(json, "feedback_config", "must be an object", violations);
        }
        long from = json.currentTokenLocation().getByteOffset();
        new FeedbackConfigReader(json, violations.at("feedback_config")).read();
        return source.slice(from, json.currentLocation().getByteOffset()).toString();
    }

    private static String quote(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }
}
