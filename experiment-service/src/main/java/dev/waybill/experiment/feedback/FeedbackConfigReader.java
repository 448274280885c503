package dev.waybill.experiment.feedback;

import java.io.IOException;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.experiment.run.JsonValues;
import dev.waybill.experiment.run.Violations;

/** Validates a {@code feedback_config} (interface.md 2.7). */
final class FeedbackConfigReader {

    private static final Set<String> TYPES = Set.of("continuous", "categorical", "freeform");

    private final JsonParser json;
    private final Violations violations;
    private @Nullable String type;
    private @Nullable Double min;
    private @Nullable Double max;

    FeedbackConfigReader(JsonParser json, Violations violations) {
        this.json = json;
        this.violations = violations;
    }

    /** Reads the object at the parser's position. */
    void read() throws IOException {
        boolean typeGiven = false;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String member = json.currentName();
            if (json.nextToken() == JsonToken.VALUE_NULL) {
                continue;
            }
            switch (member) {
                case "type" -> {
                    type = JsonValues.text(json, member, violations);
                    typeGiven = true;
                }
                case "min" -> min = JsonValues.number(json, member, violations);
                case "max" -> max = JsonValues.number(json, member, violations);
                case "categories" -> categories();
                default -> json.skipChildren();
            }
        }
        check(typeGiven);
    }

    private void check(boolean typeGiven) {
        if (!typeGiven) {
            violations.missing("type");
        } else if (type != null && !TYPES.contains(type)) {
            violations.invalid("type", "must be continuous, categorical or freeform");
        }
        if (min != null && max != null && min > max) {
            violations.invalid("max", "must not be less than min");
        }
    }

    private void categories() throws IOException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            JsonValues.wrongType(json, "categories", "must be an array of objects", violations);
            return;
        }
        for (int i = 0; json.nextToken() != JsonToken.END_ARRAY; i++) {
            Violations nested = violations.at("categories", i);
            if (json.currentToken() == JsonToken.START_OBJECT) {
                category(nested);
            } else {
                json.skipChildren();
                nested.invalidHere("must be an object", "type");
            }
        }
    }

    private void category(Violations nested) throws IOException {
        boolean valueGiven = false;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String member = json.currentName();
            if (json.nextToken() == JsonToken.VALUE_NULL) {
                continue;
            }
            switch (member) {
                case "value" -> {
                    JsonValues.number(json, member, nested);
                    valueGiven = true;
                }
                case "label" -> JsonValues.text(json, member, nested);
                default -> json.skipChildren();
            }
        }
        if (!valueGiven) {
            nested.missing("value");
        }
    }
}
