package dev.waybill.common.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

/**
 * The OpenAPI description of a service, for tests that call all of its operations and therefore include new ones automatically.
 *
 * <pre>
 * OpenApi.of("export-service").operations()
 * </pre>
 */
public final class OpenApi {

    private static final ObjectMapper MAPPER = new YAMLMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final List<String> METHODS = List.of("get", "post", "put", "patch", "delete");

    private final JsonNode document;

    private OpenApi(JsonNode document) {
        this.document = document;
    }

    /** Reads a description in JSON or YAML. */
    public static OpenApi parse(String text) {
        try {
            return new OpenApi(MAPPER.readTree(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the committed description, which {@link CommittedDescription} compares with the served one.
     *
     * @param module for example {@code export-service}
     */
    public static OpenApi of(String module) {
        try {
            return new OpenApi(MAPPER.readTree(TestDatabase.root().resolve("docs/openapi").resolve(module + ".yaml").toFile()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns all operations in the order of their paths. */
    public List<Operation> operations() {
        List<Operation> operations = new ArrayList<>();
        document.get("paths").properties().forEach(path -> METHODS.stream()
                .filter(path.getValue()::has)
                .map(method -> operation(method, path.getKey(), path.getValue().get(method)))
                .forEach(operations::add));
        return operations;
    }

    /** Returns the schema with references resolved, including members beside the reference. */
    public ObjectNode resolve(JsonNode schema) {
        ObjectNode resolved = NODES.objectNode();
        if (schema.has("$ref")) {
            resolved.setAll(resolve(document.at(schema.get("$ref").textValue().substring(1))));
        }
        resolved.setAll((ObjectNode) schema);
        resolved.remove("$ref");
        return resolved;
    }

    /**
     * Returns a valid value for the schema, with the required members of an object only.
     *
     * @param values values of members by name, regardless of the schema
     */
    public JsonNode sample(String name, JsonNode reference, Map<String, String> values) {
        ObjectNode schema = resolve(reference);
        if (values.containsKey(name)) {
            return NODES.textNode(values.get(name));
        }
        if (schema.has("enum")) {
            return schema.get("enum").get(0);
        }
        if (schema.has("examples") && !schema.path("format").asText().equals("uuid")) {
            return schema.get("examples").get(0);
        }
        return switch (type(schema)) {
            case "object" -> object(schema, values);
            case "array" -> NODES.arrayNode().add(sample(name, schema.get("items"), values));
            case "integer", "number" -> NODES.numberNode(schema.path("minimum").asInt(1));
            case "boolean" -> NODES.booleanNode(true);
            default -> NODES.textNode(text(schema));
        };
    }

    /** Returns the type's name; {@code string} if the schema has none. */
    static String type(JsonNode schema) {
        JsonNode type = schema.path("type");
        return type.isArray() ? type.get(0).textValue() : type.asText("string");
    }

    static boolean isRequired(JsonNode schema, String member) {
        return StreamSupport.stream(schema.path("required").spliterator(), false)
                .anyMatch(required -> required.textValue().equals(member));
    }

    private ObjectNode object(ObjectNode schema, Map<String, String> values) {
        ObjectNode object = NODES.objectNode();
        schema.path("properties").properties().stream()
                .filter(member -> isRequired(schema, member.getKey()) || values.containsKey(member.getKey()))
                .forEach(member -> object.set(member.getKey(), sample(member.getKey(), member.getValue(), values)));
        return object;
    }

    private static String text(ObjectNode schema) {
        return switch (schema.path("format").asText()) {
            case "uuid" -> UUID.randomUUID().toString();
            case "date-time" -> "2026-01-05T00:00:00Z";
            default -> "x".repeat(Math.max(1, schema.path("minLength").asInt(1)));
        };
    }

    private Operation operation(String method, String path, JsonNode description) {
        List<Parameter> parameters = new ArrayList<>();
        description.path("parameters").forEach(parameter -> parameters.add(new Parameter(parameter.get("name").textValue(),
                parameter.get("in").textValue(), parameter.path("required").asBoolean(), resolve(parameter.get("schema")))));
        Map<String, JsonNode> bodies = new TreeMap<>();
        description.path("requestBody").path("content").properties()
                .forEach(content -> bodies.put(content.getKey(), content.getValue().path("schema")));
        Set<String> produced = new TreeSet<>();
        description.path("responses").properties().stream()
                .filter(response -> response.getKey().startsWith("2"))
                .forEach(response -> response.getValue().path("content").fieldNames().forEachRemaining(produced::add));
        return new Operation(method.toUpperCase(Locale.ROOT), path, parameters, bodies, produced);
    }

    /**
     * One operation.
     *
     * @param path path with the names of parameters in braces
     * @param bodies schemas by media type
     * @param produced media types of successful responses
     */
    public record Operation(String method, String path, List<Parameter> parameters, Map<String, JsonNode> bodies,
            Set<String> produced) {

        /** Returns whether the body can be a JSON document. */
        public boolean takesJson() {
            return bodies.containsKey("application/json");
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    /** A parameter; {@code in} is path, query or header. */
    public record Parameter(String name, String in, boolean required, ObjectNode schema) {
    }
}
