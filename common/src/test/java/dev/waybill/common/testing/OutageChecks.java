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
import dev.waybill.common.testing.RawHttp.Answer;

/**
 * That every operation responds with 503 and {@code Retry-After} while the database is stopped, and logs one line without a
 * stack trace. The service's log must be that of {@link JsonLog}.
 */
public final class OutageChecks {

    private final RawHttp http;
    private final OperationRequests requests;
    private final Set<String> open;
    private final Set<String> cached;

    /**
     * @param open operations that need neither key nor database, for example {@code GET /api/v1/info}
     * @param cached operations that need the database only for the key, as they are called
     */
    public OutageChecks(URI server, String description, Map<String, String> values, Set<String> open, Set<String> cached) {
        this.http = new RawHttp(server);
        this.requests = new OperationRequests(server, description, values);
        this.open = Set.copyOf(open);
        this.cached = Set.copyOf(cached);
    }

    /**
     * Stops the database, calls every operation with either key, and starts it again.
     *
     * @param known a key that the service has looked up lately, so that operations fail in their own statements
     * @param unknown a valid key that it has not seen, so that every operation fails at authentication
     */
    public void assertEveryOperationIsUnavailable(String known, String unknown) {
        Map<String, Sent> sent = new HashMap<>();
        TestDatabase.get().whileStopped(() -> {
            for (Operation operation : requests.operations()) {
                if (!open.contains(operation.toString())) {
                    if (!cached.contains(operation.toString())) {
                        send(sent, operation, "known", known);
                    }
                    send(sent, operation, "unknown", unknown);
                }
            }
        });
        // Other tests want the service as it was.
        Patience.await().until(() -> http.send("GET", "/q/health/ready", Map.of(), null).status() != 503);
        SoftAssertions softly = new SoftAssertions();
        Map<String, List<JsonNode>> lines = JsonLog.linesOf(sent.keySet());
        sent.forEach((id, one) -> one.assertUnavailable(softly, lines.getOrDefault(id, List.of())));
        softly.assertAll();
        assertThat(sent.values().stream().filter(one -> one.answer().status() == 503).count())
                .as("unavailable of %s", sent.size()).isGreaterThan(sent.size() * 2L / 3);
    }

    private void send(Map<String, Sent> sent, Operation operation, String name, String key) {
        String id = UUID.randomUUID().toString();
        Answer answer = requests.good(operation, Map.of("X-Api-Key", key, "X-Request-Id", id));
        sent.put(id, new Sent(operation + " with a key that is " + name, name.equals("unknown"), answer));
    }

    /** @param must whether nothing but 503 is right; else what is sent may be rejected before the database is asked */
    private record Sent(String name, boolean must, Answer answer) {

        void assertUnavailable(SoftAssertions softly, List<JsonNode> lines) {
            boolean rejected = !must && answer.status() >= 400 && answer.status() < 500;
            if (rejected) {
                softly.assertThat(lines).as(name).isEmpty();
                return;
            }
            softly.assertThat(answer.status()).as("%s: %s", name, answer.body()).isEqualTo(503);
            softly.assertThat(answer.header("Retry-After")).as(name).matches("[1-9][0-9]*");
            softly.assertThat(answer.header("Content-Type")).as(name)
                    .matches("application/problem\\+json.*|application/x-protobuf");
            softly.assertThat(lines).as(name).hasSize(1);
            softly.assertThat(lines).as(name).noneMatch(line -> line.has("exception") || line.has("stackTrace"));
        }
    }
}
