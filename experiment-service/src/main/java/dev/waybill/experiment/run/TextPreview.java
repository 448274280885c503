package dev.waybill.experiment.run;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.waybill.experiment.json.Texts;

/**
 * Finds the text that a person looks for first in the inputs or outputs of a run: the last message of the user or of the
 * model, else the first text of a usual name, else the first text. Reads only the beginning of a document, which may end
 * anywhere.
 */
public final class TextPreview {

    /** Number of characters of a document that are read. */
    public static final int SOURCE_LENGTH = 8_000;

    private static final int MAX_LENGTH = 250;
    /** JSON inside of JSON strings, as exporters of OpenTelemetry send it. */
    private static final int MAX_EMBEDDING = 2;
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    private static final String USER = "user";
    private static final String ASSISTANT = "assistant";
    private static final Map<String, String> ROLES = Map.ofEntries(Map.entry(USER, USER), Map.entry("human", USER),
            Map.entry("humanmessage", USER), Map.entry("humanmessagechunk", USER), Map.entry(ASSISTANT, ASSISTANT),
            Map.entry("ai", ASSISTANT), Map.entry("model", ASSISTANT), Map.entry("aimessage", ASSISTANT),
            Map.entry("aimessagechunk", ASSISTANT), Map.entry("system", "system"), Map.entry("systemmessage", "system"),
            Map.entry("developer", "system"), Map.entry("tool", "tool"), Map.entry("toolmessage", "tool"),
            Map.entry("function", "tool"));
    private static final Set<String> CONTENT = Set.of("content", "text", "parts");
    private static final Set<String> ENVELOPES = Set.of("content", "parts", "data", "kwargs", "message");
    private static final Set<String> USUAL = Set.of("input", "inputs", "question", "query", "prompt", "message", "messages",
            "text", "content", "output", "outputs", "answer", "response", "result", "completion", "generation");
    private static final Set<String> NO_TEXT = Set.of("id", "type", "role", "name", "model", "object", "finish_reason",
            "stop_reason", "tool_call_id", "call_id", "run_id", "created", "format", "mime_type", "media_type", "url",
            "system_fingerprint", "lc");

    private final String role;
    private final int embedding;
    private final Deque<Level> levels = new ArrayDeque<>();
    private @Nullable String ofRole;
    private @Nullable String ofAnyRole;
    private @Nullable String usual;
    private @Nullable String first;

    private TextPreview(String role, int embedding) {
        this.role = role;
        this.embedding = embedding;
    }

    /** Returns the preview of a run's inputs, given their beginning. */
    public static @Nullable String ofInputs(@Nullable String json) {
        return json == null ? null : preview(json, USER);
    }

    /** Returns the preview of a run's outputs, given their beginning. */
    public static @Nullable String ofOutputs(@Nullable String json) {
        return json == null ? null : preview(json, ASSISTANT);
    }

    private static String preview(String json, String role) {
        String found = new TextPreview(role, 0).find(json);
        String text = (found == null ? json : found).replaceAll("\\s+", " ").strip();
        return Texts.storable(text.codePointCount(0, text.length()) <= MAX_LENGTH ? text
                : text.substring(0, text.offsetByCodePoints(0, MAX_LENGTH)));
    }

    private @Nullable String find(String json) {
        // The quote ends a string that is cut off; behind a complete document it is not read.
        try (JsonParser parser = JSON.createParser(withoutPartialEscape(json) + "\"")) {
            do {
                read(parser, parser.nextToken());
            } while (!levels.isEmpty());
        } catch (IOException e) {
            // The document is cut off here.
        }
        while (!levels.isEmpty()) {
            close(levels.pop());
        }
        return ofRole != null ? ofRole : ofAnyRole != null ? ofAnyRole : usual != null ? usual : first;
    }

    private void read(JsonParser parser, JsonToken token) throws IOException {
        switch (token) {
            case START_OBJECT -> levels.push(new Level(member(), false));
            case START_ARRAY -> levels.push(new Level(member(), true));
            case FIELD_NAME -> current(parser.currentName());
            case END_OBJECT, END_ARRAY -> close(levels.pop());
            case VALUE_STRING -> value(parser.getText());
            default -> {
                // Numbers and the like are no text.
            }
        }
    }

    private void current(String name) {
        levels.element().member = name;
    }

    // Elements of an array have the name of the array.
    private String member() {
        Level level = levels.peek();
        return level == null ? "" : level.member;
    }

    private void value(String text) {
        String name = member();
        Level level = levels.peek();
        String asRole = ROLES.get(text.toLowerCase(Locale.ROOT));
        if (level != null && asRole != null && level.isArray && level.role == null && !name.equals("id")) {
            // A message as a pair of role and text.
            level.role = asRole;
            return;
        }
        if (level != null && asRole != null && (name.equals("role") || name.equals("type"))) {
            level.role = asRole;
        } else if (level != null && asRole != null && name.equals("id") && text.endsWith("Message")) {
            level.roleOfParent = asRole;
        }
        if (NO_TEXT.contains(name) || text.isBlank()) {
            return;
        }
        String readable = embedded(text);
        if (level != null && level.text == null && (CONTENT.contains(name) || level.isArray && level.role != null)) {
            level.text = readable;
        }
        usual = usual == null && USUAL.contains(name) ? readable : usual;
        first = first == null ? readable : first;
    }

    private String embedded(String text) {
        String stripped = text.strip();
        if (embedding == MAX_EMBEDDING || !stripped.startsWith("{") && !stripped.startsWith("[")) {
            return text;
        }
        String found = new TextPreview(role, embedding + 1).find(stripped);
        return found == null ? text : found;
    }

    // Passes the text of parts and envelopes on to the message around them.
    private void close(Level level) {
        Level parent = levels.peek();
        if (parent != null && level.roleOfParent != null) {
            parent.role = level.roleOfParent;
        }
        if (level.text == null) {
            return;
        }
        if (level.role != null) {
            ofAnyRole = level.text;
            ofRole = level.role.equals(role) ? level.text : ofRole;
        } else if (parent != null && parent.text == null && ENVELOPES.contains(level.nameInParent)) {
            parent.text = level.text;
        }
    }

    private static String withoutPartialEscape(String json) {
        int escape = json.lastIndexOf('\\');
        if (json.length() < SOURCE_LENGTH || escape < 0 || escape < json.length() - "\\u0000".length()) {
            return json;
        }
        int start = escape;
        while (start > 0 && json.charAt(start - 1) == '\\') {
            start--;
        }
        return json.substring(0, start);
    }

    /** An object or array that is being read. */
    private static final class Level {

        private final String nameInParent;
        private final boolean isArray;
        private String member;
        private @Nullable String role;
        private @Nullable String roleOfParent;
        private @Nullable String text;

        Level(String nameInParent, boolean isArray) {
            this.nameInParent = nameInParent;
            this.isArray = isArray;
            this.member = nameInParent;
        }
    }
}
