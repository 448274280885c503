package dev.waybill.common.filter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;

/** All values of a JSON document with their paths, including duplicate members. */
final class JsonNodes {

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(10_000)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private static final Map<String, List<Node>> READ = new ConcurrentHashMap<>();

    private final List<Node> nodes = new ArrayList<>();

    private JsonNodes() {
    }

    /**
     * A value in a document.
     *
     * @param path member names, and list positions as Integers
     * @param scalar the text of a string, the literal of a number, true or false; null for other values
     */
    record Node(List<Object> path, JsonToken type, @Nullable String scalar) {
    }

    static List<Node> of(@Nullable String document) {
        return document == null ? List.of() : READ.computeIfAbsent(document, JsonNodes::read);
    }

    private static List<Node> read(String document) {
        try (JsonParser parser = JSON.createParser(document)) {
            JsonNodes found = new JsonNodes();
            parser.nextToken();
            found.read(parser, List.of());
            return found.nodes;
        } catch (IOException e) {
            throw new UncheckedIOException(document, e);
        }
    }

    private void read(JsonParser parser, List<Object> path) throws IOException {
        JsonToken type = parser.currentToken();
        nodes.add(new Node(path, type, type.isScalarValue() ? ReferenceTexts.replaceInvalid(parser.getText()) : null));
        if (type == JsonToken.START_OBJECT) {
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = ReferenceTexts.replaceInvalid(parser.currentName());
                parser.nextToken();
                read(parser, with(path, name));
            }
        } else if (type == JsonToken.START_ARRAY) {
            for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                read(parser, with(path, i));
            }
        }
    }

    private static List<Object> with(List<Object> path, Object step) {
        List<Object> longer = new ArrayList<>(path);
        longer.add(step);
        return longer;
    }
}
