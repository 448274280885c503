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
 * Requests that no service may do anything for, made from its description: each is a good request with one thing wrong. None
 * may be answered with a 5xx, none may leave anything behind.
 */
public final class MalformedRequests {

    private static final List<String> BAD_IDS = List.of("x", "00000000-0000-0000-0000-00000000000g", "%00", "%F0%28%8C%28",
            "'%3BDROP%20TABLE%20x--", "..%2F..%2Fetc", "1".repeat(3000));
    private static final List<String> BAD_NUMBERS = List.of("abc", "-1", "1.5", "99999999999999999999", "%00", "1e3", "NaN");
    private static final List<String> METHODS = List.of("PUT", "DELETE", "PATCH", "POST", "TRACE", "BREW");

    private final OpenApi api;
    private final Map<String, String> values;

    /**
     * @param values of parameters and members by name, to be as near to a good request as possible; ids that are not given are
     *        made up
     */
    public MalformedRequests(OpenApi api, Map<String, String> values) {
        this.api = api;
        this.values = Map.copyOf(values);
    }

    /** All of them; always the same but for made-up ids. */
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
        byPath.values().forEach(answered -> requests.addAll(methods(answered)));
        return requests;
    }

    private List<Request> parameters(Operation operation) {
        List<Request> requests = new ArrayList<>();
        for (Parameter parameter : operation.parameters()) {
            List<String> bad = switch (parameter.in()) {
                case "path" -> BAD_IDS;
                case "query" -> OpenApi.type(parameter.schema()).equals("integer") ? BAD_NUMBERS
                        : parameter.name().endsWith("id") ? BAD_IDS.subList(0, 2) : List.of();
                default -> List.of();
            };
            bad.forEach(value -> requests.add(good(operation, parameter.name() + "=" + shown(value),
                    Map.of(parameter.name(), value))));
        }
        return requests;
    }

    private Stream<Request> header(Operation operation, String name, String value) {
        return Stream.of(good(operation, name + ": " + shown(value), Map.of()).with(name, value));
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

    private List<Request> methods(List<Operation> answered) {
        List<String> known = answered.stream().map(Operation::method).toList();
        return METHODS.stream()
                .filter(method -> !known.contains(method))
                .map(method -> new Request(method + " " + answered.getFirst().path(), method,
                        path(answered.getFirst(), Map.of()), Map.of(), null))
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
                .forEach((what, body) -> requests.add(json(operation, what, body.getBytes(StandardCharsets.UTF_8))));
        return requests;
    }

    /** Whatever the members mean, these are no documents that can be read. */
    private List<Request> documents(Operation operation, String good) {
        List<Request> requests = new ArrayList<>();
        MalformedBodies.documents(good).forEach((what, bytes) -> requests.add(json(operation, what, bytes)));
        Request right = json(operation, "", good.getBytes(StandardCharsets.UTF_8));
        Stream.of("text/plain", "application/xml", "application/x-www-form-urlencoded", "nonsense").forEach(
                type -> requests.add(right.called(operation + " as " + type).with("Content-Type", type)));
        return requests;
    }

    private Request json(Operation operation, String what, byte[] body) {
        return new Request(operation + " with " + what, operation.method(), path(operation, Map.of()),
                Map.of("Content-Type", "application/json"), body);
    }

    /** Good but for these parameters. */
    private Request good(Operation operation, String what, Map<String, String> bad) {
        byte[] body = operation.takesJson()
                ? api.sample("", operation.bodies().get("application/json"), values).toString().getBytes(StandardCharsets.UTF_8)
                : null;
        return new Request(operation + " with " + what, operation.method(), path(operation, bad),
                body == null ? Map.of() : Map.of("Content-Type", "application/json"), body);
    }

    private String path(Operation operation, Map<String, String> bad) {
        String path = operation.path();
        StringBuilder query = new StringBuilder();
        for (Parameter parameter : operation.parameters()) {
            String value = bad.getOrDefault(parameter.name(),
                    values.getOrDefault(parameter.name(), UUID.randomUUID().toString()));
            if (parameter.in().equals("path")) {
                path = path.replace("{" + parameter.name() + "}", value);
            } else if (parameter.in().equals("query") && (parameter.required() || bad.containsKey(parameter.name()))) {
                query.append(query.isEmpty() ? "?" : "&").append(parameter.name()).append('=').append(value);
            }
        }
        return path + query;
    }

    private static String shown(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "... (" + text.length() + ")";
    }

    /** A request to be sent as it is, beside the caller's key. */
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
