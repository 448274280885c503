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
import dev.waybill.experiment.run.Findings;
import dev.waybill.experiment.run.JsonValues;

/** Reads one feedback object of an upload (interface.md 2.7) where the parser stands; unknown members are stepped over. */
public final class ScoreReader {

    /** How many a row or an experiment may have; they are in memory together. */
    public static final int MOST_IN_A_LIST = 1000;

    /** How large they may be all together, as they are sent. */
    public static final int MOST_BYTES_IN_A_LIST = 2 << 20;

    private static final int LONGEST_KEY = 180;

    private final JsonParser json;
    private final JsonSource source;
    private final Findings found;
    private boolean keyTold;
    private @Nullable String key;
    private @Nullable Double score;
    private @Nullable String label;
    private @Nullable String comment;
    private @Nullable String correction;
    private @Nullable String origin;
    private @Nullable String config;
    private @Nullable Instant createdAt;
    private @Nullable Instant modifiedAt;

    private ScoreReader(JsonParser json, JsonSource source, Findings found) {
        this.json = json;
        this.source = source;
        this.found = found;
    }

    /** Reads the list the parser stands on, of the member {@code name}; those with something wrong are left out. */
    public static List<Score> readList(JsonParser json, JsonSource source, String name, Findings found)
            throws IOException {
        List<Score> judgements = new ArrayList<>();
        if (json.currentToken() != JsonToken.START_ARRAY) {
            JsonValues.wrongType(json, name, "must be an array of feedback objects", found);
            return judgements;
        }
        long from = json.currentTokenLocation().getByteOffset();
        // Nothing is kept of what goes beyond, however large it is.
        JsonSource kept = (start, end) -> (end - from > MOST_BYTES_IN_A_LIST ? JsonSource.NOTHING : source).slice(start, end);
        int i = 0;
        for (; json.nextToken() != JsonToken.END_ARRAY; i++) {
            if (i >= MOST_IN_A_LIST || isTooLarge(json, from)) {
                json.skipChildren();
            } else if (json.currentToken() == JsonToken.START_OBJECT) {
                Score judgement = new ScoreReader(json, kept, found.at(name, i)).read();
                if (judgement != null) {
                    judgements.add(judgement);
                }
            } else {
                json.skipChildren();
                found.at(name, i).invalidHere("must be an object", "type");
            }
        }
        if (i > MOST_IN_A_LIST) {
            found.invalid(name, "must have at most " + MOST_IN_A_LIST + " entries");
        }
        if (isTooLarge(json, from)) {
            found.at(name).invalidHere("must have at most " + MOST_BYTES_IN_A_LIST + " bytes", "too_large");
        }
        return judgements;
    }

    private static boolean isTooLarge(JsonParser json, long from) {
        return json.currentLocation().getByteOffset() - from > MOST_BYTES_IN_A_LIST;
    }

    private @Nullable Score read() throws IOException {
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String member = json.currentName();
            if (json.nextToken() != JsonToken.VALUE_NULL) {
                read(member);
            }
        }
        if (!keyTold) {
            found.missing("key");
        } else if (key != null && (key.isBlank() || key.length() > LONGEST_KEY)) {
            found.invalid("key", "must have 1 to " + LONGEST_KEY + " characters and not be blank");
        }
        if (key == null) {
            return null;
        }
        return new Score(key, score, label == null ? null : quoted(label), label, comment, correction, origin, config,
                createdAt, modifiedAt);
    }

    private void read(String member) throws IOException {
        switch (member) {
            case "key" -> {
                key = JsonValues.text(json, member, found);
                keyTold = true;
            }
            case "score" -> score = score();
            case "value" -> label = JsonValues.text(json, member, found);
            case "comment" -> comment = JsonValues.text(json, member, found);
            case "correction" -> correction = correction();
            case "feedback_source" -> origin = origin();
            case "feedback_config" -> config = config();
            case "created_at" -> createdAt = JsonValues.timestamp(json, member, found);
            case "modified_at" -> modifiedAt = JsonValues.timestamp(json, member, found);
            default -> json.skipChildren();
        }
    }

    private @Nullable Double score() throws IOException {
        return switch (json.currentToken()) {
            case VALUE_TRUE -> (Double) 1.0;
            case VALUE_FALSE -> (Double) 0.0;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> JsonValues.number(json, "score", found);
            default -> JsonValues.wrongType(json, "score", "must be a number, true or false", found);
        };
    }

    private @Nullable String correction() throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> source.take(json).toString();
            case VALUE_STRING -> quoted(JsonValues.storable(json.getText()));
            default -> JsonValues.wrongType(json, "correction", "must be an object or a string", found);
        };
    }

    private @Nullable String origin() throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return JsonValues.wrongType(json, "feedback_source", "must be an object", found);
        }
        long from = json.currentTokenLocation().getByteOffset();
        Findings here = found.at("feedback_source");
        boolean typeTold = false;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String member = json.currentName();
            if (json.nextToken() != JsonToken.VALUE_NULL && member.equals("type")) {
                JsonValues.text(json, member, here);
                typeTold = true;
            }
            json.skipChildren();
        }
        if (!typeTold) {
            here.missing("type");
        }
        return source.slice(from, json.currentLocation().getByteOffset()).toString();
    }

    private @Nullable String config() throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return JsonValues.wrongType(json, "feedback_config", "must be an object", found);
        }
        long from = json.currentTokenLocation().getByteOffset();
        new FeedbackConfigReader(json, found.at("feedback_config")).read();
        return source.slice(from, json.currentLocation().getByteOffset()).toString();
    }

    private static String quoted(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }
}
