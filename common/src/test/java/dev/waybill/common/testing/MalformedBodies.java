package dev.waybill.common.testing;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Generates JSON bodies with one error each. */
final class MalformedBodies {

    private static final JsonNodeFactory NODES = new JsonNodeFactory(true);
    private static final List<String> HOSTILE = List.of("a\u0000b", " \n", "\u202e", "$" + "{jndi:ldap://127.0.0.1/x}");
    private static final int DEEP = 50_000;

    private final OpenApi api;
    private final Map<String, String> values;

    MalformedBodies(OpenApi api, Map<String, String> values) {
        this.api = api;
        this.values = values;
    }

    /** Returns texts that are not JSON documents or cannot be parsed safely; {@code valid} is a JSON object. */
    static Map<String, byte[]> documents(String valid) {
        Map<String, byte[]> documents = new LinkedHashMap<>();
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("no body", "");
        texts.put("blanks", " \n ");
        texts.put("an array", "[]");
        texts.put("a number", "7");
        texts.put("null", "null");
        texts.put("a text", "\"x\"");
        texts.put("an open object", valid.substring(0, valid.length() - 1));
        texts.put("something after it", valid + "x");
        texts.put("two documents", valid + valid);
        texts.put("a comment", "/* */" + valid);
        texts.put("single quotes", "{'a': 1}");
        texts.put("a member twice", valid.substring(0, valid.length() - 1) + (valid.length() > 2 ? "," : "")
                + "\"twice\": 1, \"twice\": 2}");
        texts.put("NaN", "{\"a\": NaN}");
        texts.put("a bare control character", "{\"a\": \"\u0001\"}");
        texts.put("deep arrays", "{\"a\": " + "[".repeat(DEEP) + "]".repeat(DEEP) + "}");
        texts.put("deep objects", "{\"a\":".repeat(DEEP) + "1" + "}".repeat(DEEP));
        texts.put("a number of many digits", "{\"a\": " + "9".repeat(DEEP) + "}");
        texts.forEach((what, text) -> documents.put(what, text.getBytes(StandardCharsets.UTF_8)));
        documents.put("invalid UTF-8", bytes("{\"a\": \"", new byte[] { (byte) 0xc3, 0x28 }, "\"}"));
        documents.put("overlong UTF-8", bytes("{\"a\": \"", new byte[] { (byte) 0xc0, (byte) 0xaf }, "\"}"));
        documents.put("NUL bytes", new byte[] { 0, 0, 0, 0 });
        return documents;
    }

    /** Returns documents by description, each with one member that violates the schema. */
    Map<String, String> of(ObjectNode schema) {
        ObjectNode valid = (ObjectNode) api.sample("", schema, values);
        Map<String, String> bodies = new LinkedHashMap<>();
        invalidateMembers(schema, valid, List.of(), bodies);
        return bodies;
    }

    private void invalidateMembers(ObjectNode schema, ObjectNode whole, List<String> path, Map<String, String> bodies) {
        schema.path("properties").properties().forEach(member -> {
            String name = member.getKey();
            ObjectNode shape = api.resolve(member.getValue());
            boolean required = OpenApi.isRequired(schema, name);
            if (required) {
                ObjectNode without = whole.deepCopy();
                at(without, path).remove(name);
                bodies.put((String.join(".", path) + " without " + name).strip(), without.toString());
            }
            for (JsonNode invalid : invalid(shape, required)) {
                ObjectNode broken = whole.deepCopy();
                at(broken, path).set(name, invalid);
                String text = invalid.toString();
                bodies.put(
                        String.join(".", path) + " " + name + " = "
                                + (text.length() <= 60 ? text : text.length() + " characters"),
                        broken.toString());
            }
            if (shape.has("properties")) {
                ObjectNode with = whole.deepCopy();
                at(with, path).set(name, api.sample(name, shape, values));
                List<String> deeper = new ArrayList<>(path);
                deeper.add(name);
                invalidateMembers(shape, with, deeper, bodies);
            }
        });
    }

    private static ObjectNode at(ObjectNode whole, List<String> path) {
        ObjectNode found = whole;
        for (String step : path) {
            found = (ObjectNode) found.get(step);
        }
        return found;
    }

    private List<JsonNode> invalid(ObjectNode shape, boolean required) {
        List<JsonNode> invalid = new ArrayList<>();
        if (required) {
            invalid.add(NODES.nullNode());
        }
        switch (OpenApi.type(shape)) {
            case "object" -> invalid.addAll(List.of(NODES.textNode("x"), NODES.numberNode(7), NODES.arrayNode()));
            case "array" -> invalidArrays(shape, invalid);
            case "integer", "number" -> invalidNumbers(shape, invalid);
            case "boolean" -> invalid.addAll(List.of(NODES.textNode("true"), NODES.numberNode(1), NODES.objectNode()));
            default -> invalidTexts(shape, invalid);
        }
        return invalid;
    }

    private void invalidArrays(ObjectNode shape, List<JsonNode> invalid) {
        invalid.addAll(List.of(NODES.textNode("x"), NODES.numberNode(7), NODES.objectNode()));
        for (JsonNode element : invalid(api.resolve(shape.get("items")), true)) {
            invalid.add(new ArrayNode(NODES).add(element));
        }
    }

    private static void invalidNumbers(ObjectNode shape, List<JsonNode> invalid) {
        invalid.addAll(List.of(NODES.textNode("6"), NODES.booleanNode(true), NODES.arrayNode(), NODES.objectNode()));
        if (OpenApi.type(shape).equals("integer")) {
            invalid.addAll(List.of(number("1.5"), number("99999999999999999999"), number("1e400"), number("1e999999999"),
                    number("-1e-999999999")));
        }
        if (shape.has("minimum")) {
            invalid.add(NODES.numberNode(shape.get("minimum").asLong() - 1));
        }
        if (shape.has("maximum")) {
            invalid.add(NODES.numberNode(shape.get("maximum").asLong() + 1));
        }
    }

    private static void invalidTexts(ObjectNode shape, List<JsonNode> invalid) {
        invalid.addAll(List.of(NODES.numberNode(7), NODES.booleanNode(true), NODES.arrayNode(), NODES.objectNode()));
        String format = shape.path("format").asText();
        if (format.equals("uuid")) {
            invalid.addAll(
                    texts("", "not-a-uuid", "00000000-0000-0000-0000-00000000000", "{00000000-0000-0000-0000-000000000000}"));
        }
        if (format.equals("date-time")) {
            invalid.addAll(texts("", "yesterday", "2026-13-45T99:99:99Z", "2026-01-05T00:00:00+99:00",
                    "+999999999999-01-01T00:00:00Z"));
        }
        if (shape.has("enum")) {
            invalid.addAll(texts("", "no-such-value"));
        }
        if (shape.has("minLength")) {
            invalid.addAll(texts(""));
        }
        if (shape.has("maxLength")) {
            invalid.addAll(texts("x".repeat(shape.get("maxLength").asInt() + 1)));
        }
        String pattern = shape.path("pattern").asText(shape.has("enum") || !format.isEmpty() ? "" : ".*");
        for (String hostile : HOSTILE) {
            if (!Pattern.compile(pattern, Pattern.DOTALL).matcher(hostile).matches()) {
                invalid.addAll(texts(hostile));
            }
        }
    }

    private static List<JsonNode> texts(String... texts) {
        return List.of(texts).stream().<JsonNode> map(NODES::textNode).toList();
    }

    private static JsonNode number(String text) {
        return NODES.numberNode(new BigDecimal(text));
    }

    private static byte[] bytes(String before, byte[] between, String after) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(before.getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes(between);
        bytes.writeBytes(after.getBytes(StandardCharsets.UTF_8));
        return bytes.toByteArray();
    }
}
