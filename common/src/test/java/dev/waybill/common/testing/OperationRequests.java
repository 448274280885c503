package dev.waybill.common.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.OpenApi.Operation;
import dev.waybill.common.testing.OpenApi.Parameter;
import dev.waybill.common.testing.RawHttp.Response;

/** Sends requests to every operation of a service's description, for tests of behaviour that all operations share. */
final class OperationRequests {

    /** Not a valid JSON document, form or OTLP message. */
    static final byte[] BROKEN = "{\"".getBytes(StandardCharsets.UTF_8);

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final OpenApi api;
    private final RawHttp http;
    private final Map<String, String> values;

    OperationRequests(URI server, String description, Map<String, String> values) {
        this.api = OpenApi.parse(description);
        this.http = new RawHttp(server);
        this.values = Map.copyOf(values);
    }

    List<Operation> operations() {
        return api.operations();
    }

    /** Sends a valid request. */
    Response valid(Operation operation, Map<String, String> headers) {
        return send(operation, Map.of(), headers, sample(operation));
    }

    /** Sends a request with a body that cannot be parsed, if the operation has a body. */
    Response broken(Operation operation, Map<String, String> headers) {
        return send(operation, Map.of(), headers, operation.bodies().isEmpty() ? null : BROKEN);
    }

    /** Sends a request without a body and with these undescribed parameters. */
    Response withQuery(Operation operation, String query, Map<String, String> headers) {
        String path = path(operation, Map.of());
        return http.send(operation.method(), path + (path.contains("?") ? "&" : "?") + query, headers, null);
    }

    /** Sends a request with these values of parameters. */
    Response send(Operation operation, Map<String, String> parameters, Map<String, String> headers, byte @Nullable [] body) {
        Map<String, String> all = new LinkedHashMap<>();
        if (body != null && headers.keySet().stream().noneMatch("Content-Type"::equalsIgnoreCase)) {
            all.put("Content-Type", contentType(operation));
        }
        all.putAll(headers);
        all.values().removeIf("(absent)"::equals);
        return http.send(operation.method(), path(operation, parameters), all, body);
    }

    static JsonNode problem(Response response) {
        try {
            return MAPPER.readTree(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(response.status() + ": " + response.body(), e);
        }
    }

    private byte @Nullable [] sample(Operation operation) {
        if (operation.bodies().isEmpty()) {
            return null;
        }
        return operation.takesJson()
                ? api.sample("", operation.bodies().get("application/json"), values).toString().getBytes(StandardCharsets.UTF_8)
                : BROKEN;
    }

    private static String contentType(Operation operation) {
        return operation.takesJson() ? "application/json"
                : operation.bodies().containsKey("multipart/form-data") ? "multipart/form-data; boundary=x"
                        : operation.bodies().keySet().iterator().next();
    }

    private String path(Operation operation, Map<String, String> parameters) {
        String path = operation.path();
        StringBuilder query = new StringBuilder();
        for (Parameter parameter : operation.parameters()) {
            String value = parameters.getOrDefault(parameter.name(),
                    values.getOrDefault(parameter.name(), UUID.randomUUID().toString()));
            if (parameter.in().equals("path")) {
                path = path.replace("{" + parameter.name() + "}", value);
            } else if (parameter.in().equals("query")
                    && (parameter.required() || parameters.containsKey(parameter.name()))) {
                query.append(query.isEmpty() ? "?" : "&").append(parameter.name()).append('=').append(value);
            }
        }
        return path + query;
    }
}
