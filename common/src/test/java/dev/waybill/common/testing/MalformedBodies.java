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

/** JSON bodies with one thing wrong. */
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

    /** What is no JSON document, or one that cannot be read safely; {@code good} is an object. */
    static Map<String, byte[]> documents(String good) {
        Map<String, byte[]> documents = new LinkedHashMap<>();
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("no body", "");
        texts.put("blanks", " \n ");
        texts.put("an array", "[]");
        texts.put("a number", "7");
        texts.put("null", "null");
        texts.put("a text", "\"x\"");
        texts.put("an open object", good.substring(0, good.length() - 1));
        texts.put("something after it", good + "x");
        texts.put("two documents", good + good);
        texts.put("a comment", "/* */" + good);
        texts.put("single quotes", "{'a': 1}");
        texts.put("a member twice", good.substring(0, good.length() - 1) + (good.length() > 2 ? "," : "")
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

    /** Documents of the schema's form that break it in one member each; what is wrong, and the document. */
    Map<String, String> of(ObjectNode schema) {
        ObjectNode good = (ObjectNode) api.sample("", schema, values);
        Map<String, String> bodies = new LinkedHashMap<>();
        breakMembers(schema, good, List.of(), bodies);
        return bodies;
    }

    private void breakMembers(ObjectNode schema, ObjectNode whole, List<String> path, Map<String, String> bodies) {
        schema.path("properties").properties().forEach(member -> {
            String name = member.getKey();
            ObjectNode shape = api.resolve(member.getValue());
            boolean required = OpenApi.isRequired(schema, name);
            if (required) {
                ObjectNode without = whole.deepCopy();
                at(without, path).remove(name);
                bodies.put((String.join(".", path) + " without " + name).strip(), without.toString());
            }
            for (JsonNode bad : bad(shape, required)) {
                ObjectNode broken = whole.deepCopy();
                at(broken, path).set(name, bad);
                String text = bad.toString();
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
                breakMembers(shape, with, deeper, bodies);
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

    private List<JsonNode> bad(ObjectNode shape, boolean required) {
        List<JsonNode> bad = new ArrayList<>();
        if (required) {
            bad.add(NODES.nullNode());
        }
        switch (OpenApi.type(shape)) {
            case "object" -> bad.addAll(List.of(NODES.textNode("x"), NODES.numberNode(7), NODES.arrayNode()));
            case "array" -> badArrays(shape, bad);
            case "integer", "number" -> badNumbers(shape, bad);
            case "boolean" -> bad.addAll(List.of(NODES.textNode("true"), NODES.numberNode(1), NODES.objectNode()));
            default -> badTexts(shape, bad);
        }
        return bad;
    }

    private void badArrays(ObjectNode shape, List<JsonNode> bad) {
        bad.addAll(List.of(NODES.textNode("x"), NODES.numberNode(7), NODES.objectNode()));
        for (JsonNode element : bad(api.resolve(shape.get("items")), true)) {
            bad.add(new ArrayNode(NODES).add(element));
        }
    }

    private static void badNumbers(ObjectNode shape, List<JsonNode> bad) {
        bad.addAll(List.of(NODES.textNode("6"), NODES.booleanNode(true), NODES.arrayNode(), NODES.objectNode()));
        if (OpenApi.type(shape).equals("integer")) {
            bad.addAll(List.of(number("1.5"), number("99999999999999999999"), number("1e400"), number("1e999999999"),
                    number("-1e-999999999")));
        }
        if (shape.has("minimum")) {
            bad.add(NODES.numberNode(shape.get("minimum").asLong() - 1));
        }
        if (shape.has("maximum")) {
            bad.add(NODES.numberNode(shape.get("maximum").asLong() + 1));
        }
    }

    private static void badTexts(ObjectNode shape, List<JsonNode> bad) {
        bad.addAll(List.of(NODES.numberNode(7), NODES.booleanNode(true), NODES.arrayNode(), NODES.objectNode()));
        String format = shape.path("format").asText();
        if (format.equals("uuid")) {
            bad.addAll(
                    texts("", "not-a-uuid", "00000000-0000-0000-0000-00000000000", "{00000000-0000-0000-0000-000000000000}"));
        }
        if (format.equals("date-time")) {
            bad.addAll(texts("", "yesterday", "2026-13-45T99:99:99Z", "2026-01-05T00:00:00+99:00",
                    "+999999999999-01-01T00:00:00Z"));
        }
        if (shape.has("enum")) {
            bad.addAll(texts("", "no-such-value"));
        }
        if (shape.has("minLength")) {
            bad.addAll(texts(""));
        }
        if (shape.has("maxLength")) {
            bad.addAll(texts("x".repeat(shape.get("maxLength").asInt() + 1)));
        }
        String pattern = shape.path("pattern").asText(shape.has("enum") || !format.isEmpty() ? "" : ".*");
        for (String hostile : HOSTILE) {
            if (!Pattern.compile(pattern, Pattern.DOTALL).matcher(hostile).matches()) {
                bad.addAll(texts(hostile));
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
