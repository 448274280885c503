package dev.waybill.common.testing;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.testing.OpenApi.Operation;
import dev.waybill.common.testing.OpenApi.Parameter;

/**
 * Generates invalid requests from a service's description: each is a valid request with one error. None may cause a 5xx or
 * change a row.
 */
public final class MalformedRequests {

    private static final List<String> INVALID_IDS = List.of("x", "00000000-0000-0000-0000-00000000000g", "%00", "%F0%28%8C%28",
            "'%3BDROP%20TABLE%20x--", "..%2F..%2Fetc", "1".repeat(3000));
    private static final List<String> INVALID_NUMBERS = List.of("abc", "-1", "1.5", "99999999999999999999", "%00", "1e3",
            "NaN");
    private static final List<String> METHODS = List.of("PUT", "DELETE", "PATCH", "POST", "TRACE", "BREW");

    private final OpenApi api;
    private final Map<String, String> values;

    /**
     * @param values values of parameters and members by name, for requests that are valid except for the error; other ids are
     *        random
     */
    public MalformedRequests(OpenApi api, Map<String, String> values) {
        this.api = api;
        this.values = Map.copyOf(values);
    }

    /** Returns all requests; they are the same each time except for random ids. */
    public List<Request> all() {
        List<Operation> operations = api.operations();
        List<Request> requests = new ArrayList<>();
        operations.forEach(operation -> {
            requests.addAll(parameters(operation));
            requests.addAll(headers(operation));
            if (operation.takesJson()) {
                requests.addAll(bodies(operation));
            }
        });
        Map<String, List<Operation>> byPath = operations.stream()
                .collect(Collectors.groupingBy(Operation::path, LinkedHashMap::new, Collectors.toList()));
        byPath.values().forEach(described -> requests.addAll(methods(described)));
        return requests;
    }

    private List<Request> parameters(Operation operation) {
        List<Request> requests = new ArrayList<>();
        for (Parameter parameter : operation.parameters()) {
            List<String> invalid = switch (parameter.in()) {
                case "path" -> INVALID_IDS;
                case "query" -> OpenApi.type(parameter.schema()).equals("integer") ? INVALID_NUMBERS
                        : parameter.name().endsWith("id") ? INVALID_IDS.subList(0, 2) : List.of();
                default -> List.of();
            };
            invalid.forEach(value -> requests.add(valid(operation, parameter.name() + "=" + printable(value),
                    Map.of(parameter.name(), value))));
        }
        return requests;
    }

    private Stream<Request> header(Operation operation, String name, String value) {
        return Stream.of(valid(operation, name + ": " + printable(value), Map.of()).with(name, value));
    }

    private List<Request> headers(Operation operation) {
        List<Request> requests = new ArrayList<>();
        header(operation, "X-Tenant-Id", "not-a-uuid").forEach(requests::add);
        header(operation, "X-Tenant-Id", "0".repeat(2000)).forEach(requests::add);
        if (operation.parameters().stream().anyMatch(parameter -> parameter.name().equals("Idempotency-Key"))) {
            header(operation, "Idempotency-Key", "k".repeat(300)).forEach(requests::add);
            header(operation, "Idempotency-Key", "\u00e9").forEach(requests::add);
        }
        return requests;
    }

    private List<Request> methods(List<Operation> described) {
        List<String> known = described.stream().map(Operation::method).toList();
        return METHODS.stream()
                .filter(method -> !known.contains(method))
                .map(method -> new Request(method + " " + described.getFirst().path(), method,
                        path(described.getFirst(), Map.of()), Map.of(), null))
                .toList();
    }

    private List<Request> bodies(Operation operation) {
        ObjectNode schema = api.resolve(operation.bodies().get("application/json"));
        if (!OpenApi.type(schema).equals("object") || !schema.has("properties")) {
            return documents(operation, "{}");
        }
        String sample = api.sample("", schema, values).toString();
        List<Request> requests = new ArrayList<>(documents(operation, sample));
        new MalformedBodies(api, values).of(schema)
                .forEach((description, body) -> requests
                        .add(json(operation, description, body.getBytes(StandardCharsets.UTF_8))));
        return requests;
    }

    /** Returns requests whose body cannot be parsed. */
    private List<Request> documents(Operation operation, String valid) {
        List<Request> requests = new ArrayList<>();
        MalformedBodies.documents(valid).forEach((description, bytes) -> requests.add(json(operation, description, bytes)));
        Request right = json(operation, "", valid.getBytes(StandardCharsets.UTF_8));
        Stream.of("text/plain", "application/xml", "application/x-www-form-urlencoded", "nonsense").forEach(
                type -> requests.add(right.called(operation + " as " + type).with("Content-Type", type)));
        return requests;
    }

    private Request json(Operation operation, String description, byte[] body) {
        return new Request(operation + " with " + description, operation.method(), path(operation, Map.of()),
                Map.of("Content-Type", "application/json"), body);
    }

    /** Returns a request that is valid except for these parameters. */
    private Request valid(Operation operation, String description, Map<String, String> invalid) {
        byte[] body = operation.takesJson()
                ? api.sample("", operation.bodies().get("application/json"), values).toString().getBytes(StandardCharsets.UTF_8)
                : null;
        return new Request(operation + " with " + description, operation.method(), path(operation, invalid),
                body == null ? Map.of() : Map.of("Content-Type", "application/json"), body);
    }

    private String path(Operation operation, Map<String, String> invalid) {
        String path = operation.path();
        StringBuilder query = new StringBuilder();
        for (Parameter parameter : operation.parameters()) {
            String value = invalid.getOrDefault(parameter.name(),
                    values.getOrDefault(parameter.name(), UUID.randomUUID().toString()));
            if (parameter.in().equals("path")) {
                path = path.replace("{" + parameter.name() + "}", value);
            } else if (parameter.in().equals("query") && (parameter.required() || invalid.containsKey(parameter.name()))) {
                query.append(query.isEmpty() ? "?" : "&").append(parameter.name()).append('=').append(value);
            }
        }
        return path + query;
    }

    private static String printable(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "... (" + text.length() + ")";
    }

    /** A request to send with the caller's key. */
    public record Request(String name, String method, String path, Map<String, String> headers, byte @Nullable [] body) {

        Request with(String header, String value) {
            Map<String, String> more = new LinkedHashMap<>(headers);
            more.put(header, value);
            return new Request(name, method, path, more, body);
        }

        Request called(String other) {
            return new Request(other, method, path, headers, body);
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
