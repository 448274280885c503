package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.assertj.core.api.SoftAssertions;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.testing.OpenApi.Operation;
import dev.waybill.common.testing.RawHttp.Response;

/**
 * Asserts that every operation responds with 503 and {@code Retry-After} while the database is stopped, and logs one line
 * without a stack trace. The service must write a {@link JsonLog}.
 */
public final class OutageChecks {

    private final RawHttp http;
    private final OperationRequests requests;
    private final Set<String> unauthenticated;
    private final Set<String> cached;

    /**
     * @param unauthenticated operations that need neither key nor database, for example {@code GET /api/v1/info}
     * @param cached operations that need the database only to look up the key
     */
    public OutageChecks(URI server, String description, Map<String, String> values, Set<String> unauthenticated,
            Set<String> cached) {
        this.http = new RawHttp(server);
        this.requests = new OperationRequests(server, description, values);
        this.unauthenticated = Set.copyOf(unauthenticated);
        this.cached = Set.copyOf(cached);
    }

    /**
     * Stops the database, calls every operation with both keys, and restarts the database.
     *
     * @param known a key in the service's cache, so that operations fail in their own statements
     * @param unknown a valid key that is not cached, so that every operation fails at authentication
     */
    public void assertEveryOperationIsUnavailable(String known, String unknown) {
        Map<String, Sent> sent = new HashMap<>();
        TestDatabase.get().whileStopped(() -> {
            for (Operation operation : requests.operations()) {
                if (!unauthenticated.contains(operation.toString())) {
                    if (!cached.contains(operation.toString())) {
                        send(sent, operation, "known", known);
                    }
                    send(sent, operation, "unknown", unknown);
                }
            }
        });
        // Other tests need the service to be ready.
        Patience.await().until(() -> http.send("GET", "/q/health/ready", Map.of(), null).status() != 503);
        SoftAssertions softly = new SoftAssertions();
        Map<String, List<JsonNode>> lines = JsonLog.linesOf(sent.keySet());
        sent.forEach((id, one) -> one.assertUnavailable(softly, lines.getOrDefault(id, List.of())));
        softly.assertAll();
        assertThat(sent.values().stream().filter(one -> one.response().status() == 503).count())
                .as("unavailable of %s", sent.size()).isGreaterThan(sent.size() * 2L / 3);
    }

    private void send(Map<String, Sent> sent, Operation operation, String name, String key) {
        String id = UUID.randomUUID().toString();
        Response response = requests.valid(operation, Map.of("X-Api-Key", key, "X-Request-Id", id));
        sent.put(id, new Sent(operation + " with a key that is " + name, name.equals("unknown"), response));
    }

    /** @param isUnavailable whether only 503 is correct; otherwise the request may be rejected before database access */
    private record Sent(String name, boolean isUnavailable, Response response) {

        void assertUnavailable(SoftAssertions softly, List<JsonNode> lines) {
            boolean rejected = !isUnavailable && response.status() >= 400 && response.status() < 500;
            if (rejected) {
                softly.assertThat(lines).as(name)
                        .allMatch(line -> line.at("/message").asText().contains("audit log could not"));
                return;
            }
            softly.assertThat(response.status()).as("%s: %s", name, response.body()).isEqualTo(503);
            softly.assertThat(response.header("Retry-After")).as(name).matches("[1-9][0-9]*");
            softly.assertThat(response.header("Content-Type")).as(name)
                    .matches("application/problem\\+json.*|application/x-protobuf");
            softly.assertThat(lines).as(name).hasSize(1);
            softly.assertThat(lines).as(name).noneMatch(line -> line.has("exception") || line.has("stackTrace"));
        }
    }
}
