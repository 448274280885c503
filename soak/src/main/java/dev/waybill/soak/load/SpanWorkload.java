package dev.waybill.soak.load;

import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.soak.replicas.ReplicaPool;
import dev.waybill.soak.replicas.RetryingClient;

/** Sends OTLP spans: children first and to another replica than their root, like exporters of several processes. */
final class SpanWorkload implements Workload {

    private static final String SESSION = "replicas-spans";
    private static final int CHILDREN = 4;
    private static final String STORED = """
            SELECT concat_ws('|', r.name, coalesce(p.name, '-'))
            FROM trace.runs r LEFT JOIN trace.runs p ON p.tenant_id = r.tenant_id AND p.id = r.parent_run_id
            WHERE r.session_id = (SELECT id FROM trace.sessions WHERE name = '%s')""".formatted(SESSION);

    private final RetryingClient client;
    private final ReplicaPool intake;
    private final String superuserUrl;
    private final Queue<String> spans = new ConcurrentLinkedQueue<>();
    private int steps;

    SpanWorkload(RetryingClient client, ReplicaPool intake, String superuserUrl) {
        this.client = client;
        this.intake = intake;
        this.superuserUrl = superuserUrl;
    }

    @Override
    public String name() {
        return "spans";
    }

    @Override
    public int pauseMillis() {
        return 200;
    }

    @Override
    public void step() {
        int step = steps++;
        String trace = hex(16);
        String root = hex(8);
        String name = "trace-" + step;
        ObjectNode children = Json.object();
        ArrayNode childSpans = spans(children);
        for (int i = 0; i < CHILDREN; i++) {
            childSpans.add(span(trace, hex(8), root, name + "-child-" + i));
        }
        send(children);
        ObjectNode rootSpan = Json.object();
        spans(rootSpan).add(span(trace, root, "", name));
        send(rootSpan);
        spans.add(name + "|-");
        for (int i = 0; i < CHILDREN; i++) {
            spans.add(name + "-child-" + i + "|" + name);
        }
    }

    private void send(ObjectNode request) {
        JsonNode response = client.call(intake, replica -> replica.client().withHeader("Langsmith-Project", SESSION).json()
                .post(replica.at("/otel/v1/traces"), request));
        if (response.at("/partialSuccess/rejectedSpans").asInt() > 0) {
            throw new IllegalStateException("spans were rejected: " + response);
        }
    }

    private static ArrayNode spans(ObjectNode request) {
        return request.putArray("resourceSpans").addObject().putArray("scopeSpans").addObject().putArray("spans");
    }

    private static ObjectNode span(String trace, String id, String parent, String name) {
        long now = Instant.now().toEpochMilli() * 1_000_000;
        return Json.object().put("traceId", trace).put("spanId", id).put("parentSpanId", parent).put("name", name)
                .put("kind", 1).put("startTimeUnixNano", Long.toString(now))
                .put("endTimeUnixNano", Long.toString(now + 1_000_000));
    }

    private static String hex(int bytes) {
        byte[] id = new byte[bytes];
        ThreadLocalRandom.current().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    @Override
    public List<String> differences() {
        return Reconciliation.differences("span", spans, Reconciliation.query(superuserUrl, STORED));
    }
}
