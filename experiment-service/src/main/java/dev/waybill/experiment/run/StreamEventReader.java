package dev.waybill.experiment.run;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

/** Reads one event of a streamed run; the first {@code new_token} event has the time of the first token. */
final class StreamEventReader {

    private final JsonParser json;

    StreamEventReader(JsonParser json) {
        this.json = json;
    }

    /** Reads the current event to its end. Events are user data, so nothing in them is rejected. */
    Optional<Instant> firstToken() throws IOException {
        boolean newToken = false;
        @Nullable
        Instant time = null;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String member = json.currentName();
            JsonToken value = json.nextToken();
            switch (member) {
                case "name" -> newToken = value == JsonToken.VALUE_STRING && json.getText().equals("new_token");
                case "time" -> time = JsonValues.timeOrNull(json);
                default -> {
                    // Other members are not used.
                }
            }
            json.skipChildren();
        }
        return newToken ? Optional.ofNullable(time) : Optional.empty();
    }
}
