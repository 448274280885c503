package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.testing.OpenApi.Operation;
import dev.waybill.common.testing.OpenApi.Parameter;
import dev.waybill.common.testing.RawHttp.Response;

/**
 * Asserts that every operation with a changing method writes one line to the audit log and stores the same event, whatever its
 * response.
 */
public final class AuditLogChecks {

    private static final Set<String> CHANGING = Set.of("POST", "PUT", "PATCH", "DELETE");
    private static final String SECRET = "canary-of-a-body";

    private final RawHttp http;
    private final OpenApi api;
    private final String key;
    private final Map<String, String> expected;
    private final Set<String> excluded;
    private final @Nullable Set<String> logOnly;

    private AuditLogChecks(URI server, OpenApi api, String key, Map<String, String> expected, Set<String> excluded,
            @Nullable Set<String> logOnly) {
        this.excluded = excluded;
        this.logOnly = logOnly;
        this.http = new RawHttp(server);
        this.api = api;
        this.key = key;
        this.expected = Map.copyOf(expected);
    }

    /**
     * Checks lines and stored events.
     *
     * @param expected fields of each line that identify the caller
     * @param logOnly operations whose events are not stored
     */
    public static AuditLogChecks ofStoredEvents(URI server, OpenApi api, String key, Map<String, String> expected,
            Set<String> logOnly) {
        return new AuditLogChecks(server, api, key, expected, Set.of(), Set.copyOf(logOnly));
    }

    /**
     * Checks lines only, of a service without a database.
     *
     * @param excluded paths that are excluded from the audit log
     */
    public static AuditLogChecks ofLines(URI server, OpenApi api, String key, Map<String, String> expected,
            Set<String> excluded) {
        return new AuditLogChecks(server, api, key, expected, excluded, null);
    }

    /** Calls every operation once with and once without the key; returns the number of operations. */
    public int assertEveryChangeIsAudited() {
        List<Operation> operations = api.operations().stream()
                .filter(operation -> CHANGING.contains(operation.method()))
                .toList();
        SoftAssertions softly = new SoftAssertions();
        try (AuditLogCapture capture = AuditLogCapture.listen()) {
            for (Operation operation : operations) {
                check(operation, capture, softly);
            }
            softly.assertThat(capture.texts()).noneMatch(text -> text.contains(key) || text.contains(SECRET));
        }
        softly.assertAll();
        return operations.size();
    }

    private void check(Operation operation, AuditLogCapture capture, SoftAssertions softly) {
        String known = "audit-" + UUID.randomUUID();
        Response response = send(operation, Map.of("X-Api-Key", key, "X-Request-Id", known));
        if (excluded.contains(operation.path())) {
            softly.assertThat(capture.of(known)).as("%s is excluded", operation).isEmpty();
            return;
        }
        softly.assertThat(capture.of(known)).as("%s: %s", operation, response.body()).singleElement()
                .satisfies(line -> assertThat(line)
                        .containsEntry("method", operation.method())
                        .containsEntry("route", operation.path())
                        .containsEntry("status", String.valueOf(response.status())));
        softly.assertThat(capture.of(known)).as(operation.toString())
                .allSatisfy(line -> assertThat(isUnauthenticated(line) ? expected : line).containsAllEntriesOf(expected));
        softly.assertThat(capture.fieldsOf(known)).as("%s as JSON", operation).isEqualTo(capture.of(known));
        if (logOnly != null) {
            List<Map<String, String>> stored = logOnly.contains(operation.toString()) ? List.of()
                    : capture.of(known).stream().filter(line -> line.containsKey("organization_id")).toList();
            softly.assertThat(StoredAuditEvents.of(known)).as("%s is stored", operation).isEqualTo(stored);
        }

        String unknown = "audit-" + UUID.randomUUID();
        Response rejection = send(operation, Map.of("X-Request-Id", unknown));
        softly.assertThat(capture.of(unknown)).as("%s without a key", operation).singleElement()
                .satisfies(line -> assertThat(line)
                        .containsEntry("actor", "anonymous")
                        .containsEntry("status", String.valueOf(rejection.status())));
    }

    /** Returns whether the line is of an operation without authentication. */
    private static boolean isUnauthenticated(Map<String, String> line) {
        return "anonymous".equals(line.get("actor")) && String.valueOf(line.get("route")).endsWith("/webhook");
    }

    private Response send(Operation operation, Map<String, String> headers) {
        String path = operation.path();
        for (Parameter parameter : operation.parameters()) {
            path = path.replace("{" + parameter.name() + "}", UUID.randomUUID().toString());
        }
        Map<String, String> all = new HashMap<>(headers);
        byte[] body = null;
        if (operation.takesJson()) {
            JsonNode sample = api.sample("", operation.bodies().get("application/json"), Map.of("name", SECRET));
            body = sample.toString().getBytes(StandardCharsets.UTF_8);
            all.put("Content-Type", "application/json");
        }
        return http.send(operation.method(), path, all, body);
    }
}
