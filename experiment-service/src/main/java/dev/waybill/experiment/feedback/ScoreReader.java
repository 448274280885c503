package dev.waybill.experiment.feedback;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.experiment.feedback.FeedbackWriter.Score;
import dev.waybill.experiment.json.JsonInput;
import dev.waybill.experiment.json.JsonMembers;
import dev.waybill.experiment.json.Texts;
import dev.waybill.experiment.json.ViolationCollector;

/** Reads feedback objects of an upload (interface.md 2.7); unknown members are ignored. */
public final class ScoreReader {

    /** Maximum number of feedback objects in one list, which is in memory as a whole. */
    public static final int MAX_LIST_ENTRIES = 1000;
    /** Maximum size of one list in bytes. */
    public static final int MAX_LIST_BYTES = 2 << 20;

    private static final int MAX_KEY_LENGTH = 180;
    private static final String OBJECT = "must be an object";
    private static final JsonMembers<ScoreReader> MEMBERS = JsonMembers.<ScoreReader> table()
            .required("key")
            .text("key", (score, text) -> score.key = text)
            .member("score", (score, in) -> score.score = score(in))
            .text("value", (score, text) -> score.label = text)
            .text("comment", (score, text) -> score.comment = text)
            .member("correction", (score, in) -> score.correction = correction(in))
            .member("feedback_source", (score, in) -> score.feedbackSource = feedbackSource(in))
            .member("feedback_config", (score, in) -> score.config = config(in))
            .timestamp("created_at", (score, time) -> score.createdAt = time)
            .timestamp("modified_at", (score, time) -> score.modifiedAt = time)
            .build();
    private static final JsonMembers<Boolean> SOURCE = JsonMembers.<Boolean> table()
            .required("type")
            .text("type", (ignored, text) -> {
            })
            .build();

    private @Nullable String key;
    private @Nullable Double score;
    private @Nullable String label;
    private @Nullable String comment;
    private @Nullable String correction;
    private @Nullable String feedbackSource;
    private @Nullable String config;
    private @Nullable Instant createdAt;
    private @Nullable Instant modifiedAt;

    private ScoreReader() {
    }

    /** Reads the list at the input's position; leaves out invalid objects. */
    public static List<Score> readList(JsonInput list) throws IOException {
        List<Score> scores = new ArrayList<>();
        if (!list.is(JsonToken.START_ARRAY)) {
            list.wrongType("must be an array of feedback objects");
            return scores;
        }
        String name = list.member();
        ViolationCollector violations = list.violations();
        long from = list.offset();
        // Bytes beyond the limit are not copied, however large the list is.
        JsonInput limited = list.from((start, end) -> (end - from > MAX_LIST_BYTES ? JsonInput.Source.NOTHING : list.source())
                .slice(start, end));
        int i = 0;
        for (; list.parser().nextToken() != JsonToken.END_ARRAY; i++) {
            if (i >= MAX_LIST_ENTRIES || list.lengthFrom(from) > MAX_LIST_BYTES) {
                list.parser().skipChildren();
            } else {
                Score item = read(limited.at(name, i));
                if (item != null) {
                    scores.add(item);
                }
            }
        }
        if (i > MAX_LIST_ENTRIES) {
            violations.invalid(name, "must have at most " + MAX_LIST_ENTRIES + " entries");
        }
        if (list.lengthFrom(from) > MAX_LIST_BYTES) {
            violations.at(name).invalidHere("must have at most " + MAX_LIST_BYTES + " bytes", "too_large");
        }
        return scores;
    }

    private static @Nullable Score read(JsonInput in) throws IOException {
        if (!in.is(JsonToken.START_OBJECT)) {
            in.wrongTypeHere(OBJECT);
            return null;
        }
        ScoreReader read = new ScoreReader();
        MEMBERS.read(read, in);
        String key = read.key;
        if (key == null) {
            return null;
        }
        if (key.isBlank() || key.length() > MAX_KEY_LENGTH) {
            in.violations().invalid("key", "must have 1 to " + MAX_KEY_LENGTH + " characters and not be blank");
        }
        return new Score(key, read.score, read.label == null ? null : JsonInput.quote(read.label), read.label, read.comment,
                read.correction, read.feedbackSource, read.config, read.createdAt, read.modifiedAt);
    }

    private static @Nullable Double score(JsonInput in) throws IOException {
        return switch (in.parser().currentToken()) {
            case VALUE_TRUE -> (Double) 1.0;
            case VALUE_FALSE -> (Double) 0.0;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> in.number();
            default -> in.wrongType("must be a number, true or false");
        };
    }

    private static @Nullable String correction(JsonInput in) throws IOException {
        return in.is(JsonToken.VALUE_STRING) ? JsonInput.quote(Texts.storable(in.parser().getText()))
                : text(in.object("must be an object or a string"));
    }

    private static @Nullable String feedbackSource(JsonInput in) throws IOException {
        if (!in.is(JsonToken.START_OBJECT)) {
            return in.wrongType(OBJECT);
        }
        long from = in.offset();
        SOURCE.read(true, in.at(in.member()));
        return in.sliceFrom(from).toString();
    }

    private static @Nullable String config(JsonInput in) throws IOException {
        if (!in.is(JsonToken.START_OBJECT)) {
            return in.wrongType(OBJECT);
        }
        long from = in.offset();
        new Config().read(in.at(in.member()));
        return in.sliceFrom(from).toString();
    }

    private static @Nullable String text(@Nullable Object json) {
        return json == null ? null : json.toString();
    }

    /** A {@code feedback_config} (interface.md 2.7), which is only validated. */
    private static final class Config {

        private static final Set<String> TYPES = Set.of("continuous", "categorical", "freeform");
        private static final JsonMembers<Config> MEMBERS = JsonMembers.<Config> table()
                .required("type")
                .text("type", (config, text) -> config.type = text)
                .number("min", (config, number) -> config.min = number)
                .number("max", (config, number) -> config.max = number)
                .member("categories", (config, in) -> categories(in))
                .build();
        private static final JsonMembers<Boolean> CATEGORY = JsonMembers.<Boolean> table()
                .required("value")
                .number("value", (ignored, number) -> {
                })
                .text("label", (ignored, text) -> {
                })
                .build();

        private @Nullable String type;
        private @Nullable Double min;
        private @Nullable Double max;

        void read(JsonInput in) throws IOException {
            MEMBERS.read(this, in);
            if (type != null && !TYPES.contains(type)) {
                in.violations().invalid("type", "must be continuous, categorical or freeform");
            }
            if (min != null && max != null && min > max) {
                in.violations().invalid("max", "must not be less than min");
            }
        }

        private static void categories(JsonInput in) throws IOException {
            if (!in.is(JsonToken.START_ARRAY)) {
                in.wrongType("must be an array of objects");
                return;
            }
            String name = in.member();
            for (int i = 0; in.parser().nextToken() != JsonToken.END_ARRAY; i++) {
                CATEGORY.readObject(true, in.at(name, i), OBJECT);
            }
        }
    }
}
