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

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.testing.OpenApi.Operation;
import dev.waybill.common.testing.OpenApi.Parameter;
import dev.waybill.common.testing.RawHttp.Answer;

/**
 * That every operation of a service's description that may change something has its line in the audit log, whatever is
 * answered.
 */
public final class AuditWalk {

    private static final Set<String> CHANGING = Set.of("POST", "PUT", "PATCH", "DELETE");
    private static final String SECRET = "canary-of-a-body";

    private final RawHttp http;
    private final OpenApi api;
    private final String key;
    private final Map<String, String> expected;
    private final Set<String> except;

    /** @param expected what each line says of who called */
    public AuditWalk(URI server, OpenApi api, String key, Map<String, String> expected) {
        this(server, api, key, expected, Set.of());
    }

    /** @param except paths whose requests have no line */
    public AuditWalk(URI server, OpenApi api, String key, Map<String, String> expected, Set<String> except) {
        this.except = except;
        this.http = new RawHttp(server);
        this.api = api;
        this.key = key;
        this.expected = Map.copyOf(expected);
    }

    /** Asks every operation once with the key and once without any; answers how many there are. */
    public int assertEveryChangeIsTold() {
        List<Operation> operations = api.operations().stream()
                .filter(operation -> CHANGING.contains(operation.method()))
                .toList();
        SoftAssertions softly = new SoftAssertions();
        try (AuditTrail trail = AuditTrail.listen()) {
            for (Operation operation : operations) {
                check(operation, trail, softly);
            }
            softly.assertThat(trail.texts()).noneMatch(text -> text.contains(key) || text.contains(SECRET));
        }
        softly.assertAll();
        return operations.size();
    }

    private void check(Operation operation, AuditTrail trail, SoftAssertions softly) {
        String known = "audit-" + UUID.randomUUID();
        Answer answer = send(operation, Map.of("X-Api-Key", key, "X-Request-Id", known));
        if (except.contains(operation.path())) {
            softly.assertThat(trail.of(known)).as("%s is left out", operation).isEmpty();
            return;
        }
        softly.assertThat(trail.of(known)).as("%s: %s", operation, answer.body()).singleElement()
                .satisfies(line -> assertThat(line)
                        .containsEntry("method", operation.method())
                        .containsEntry("route", operation.path())
                        .containsEntry("status", String.valueOf(answer.status())));
        softly.assertThat(trail.of(known)).as(operation.toString())
                .allSatisfy(line -> assertThat(isOpen(line) ? expected : line).containsAllEntriesOf(expected));
        softly.assertThat(trail.fieldsOf(known)).as("%s as JSON", operation).isEqualTo(trail.of(known));

        String unknown = "audit-" + UUID.randomUUID();
        Answer refusal = send(operation, Map.of("X-Request-Id", unknown));
        softly.assertThat(trail.of(unknown)).as("%s by nobody", operation).singleElement()
                .satisfies(line -> assertThat(line)
                        .containsEntry("actor", "anonymous")
                        .containsEntry("status", String.valueOf(refusal.status())));
    }

    /** An operation that asks for no key knows nobody. */
    private static boolean isOpen(Map<String, String> line) {
        return "anonymous".equals(line.get("actor")) && String.valueOf(line.get("route")).endsWith("/webhook");
    }

    private Answer send(Operation operation, Map<String, String> headers) {
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
