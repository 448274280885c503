package dev.waybill.soak.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.RunningStack;
import dev.waybill.local.client.Json;
import dev.waybill.local.stack.ApplicationRole;

/** Clients of one replica that join a run of another one, both on one PostgreSQL. */
@Tag("full")
@Timeout(600)
class ReplicaStreamsIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String RESUMABLE = "\"stream_resumable\": true, \"stream_mode\": [\"updates\"]";

    @TempDir
    Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private final String thread = UUID.randomUUID().toString();
    private ThreadReplicas replicas;

    @BeforeEach
    void start() throws Exception {
        Map<String, String> settings = new HashMap<>(ApplicationRole.create(RunningStack.get().stack).properties());
        settings.put("waybill.runtime.runs.heartbeat-interval", "500ms");
        replicas = new ThreadReplicas(2, settings, ThreadApplication.install(), directory);
    }

    @AfterEach
    void stop() {
        http.shutdownNow();
        replicas.close();
    }

    @Test
    void streamHasTheEventsOfTheOtherReplica() throws Exception {
        String run = begin("wait 8000", RESUMABLE);

        List<String> lines = lines(1, run, "-1").toList();

        assertThat(events(lines)).startsWith("metadata").containsSubsequence("updates", "updates", "values", "end");
        assertThat(lines).contains(": heartbeat").as("all events of the run, in order")
                .containsSubsequence("id: " + run + ":0", "id: " + run + ":1", "id: " + run + ":2");
        assertThat(lines(1, run, run + ":1").filter(line -> line.startsWith("id: "))).containsExactly("id: " + run + ":2");
    }

    @Test
    void eventsArriveWhileTheRunIsInProgress() throws Exception {
        String run = begin("wait 60000", RESUMABLE);

        Iterator<String> lines = lines(1, run, "-1").iterator();
        while (!lines.next().equals("event: updates")) {
            // Earlier events.
        }

        assertThat(status(run)).isEqualTo("running");
        http.send(request(1, "POST", "/runs/" + run + "/cancel", null).build(), BodyHandlers.discarding());
        assertThat(rest(lines)).contains("event: error").anyMatch(line -> line.contains("Cancelled"));
    }

    @Test
    void joinedRunOfAKilledReplicaEndsOnTheOtherOne() throws Exception {
        String run = begin("wait 3000", RESUMABLE);
        Iterator<String> lines = lines(1, run, "-1").iterator();
        assertThat(lines.next()).isEqualTo("event: metadata");

        replicas.kill(0);

        assertThat(events(rest(lines))).endsWith("values", "end");
        assertThat(status(run)).isEqualTo("success");
    }

    @Test
    void threadOfAKilledReplicaIsNotBusyForLong() throws Exception {
        String run = begin("wait 3000", "\"on_disconnect\": \"continue\"");

        replicas.kill(0);

        await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(1)).until(() -> status(run).equals("success"));
        assertThat(send(1, "GET", "", null).path("status").asText()).isEqualTo("idle");
    }

    /** Begins a run in the background of the first replica; returns its id when it is running. */
    private String begin(String content, String more) throws Exception {
        String run = send(0, "POST", "/runs", "{\"assistant_id\": \"threads\", \"if_not_exists\": \"create\", \"input\": "
                + "{\"messages\": [{\"role\": \"user\", \"content\": \"" + content + "\"}]}, " + more + "}")
                .path("run_id").asText();
        await().atMost(PATIENCE).until(() -> status(run).equals("running"));
        return run;
    }

    /** Returns the status of a run, as the second replica reads it. */
    private String status(String run) throws IOException, InterruptedException {
        return send(1, "GET", "/runs/" + run, null).path("status").asText();
    }

    private Stream<String> lines(int replica, String run, String lastEventId) throws IOException, InterruptedException {
        return http.send(request(replica, "GET", "/runs/" + run + "/stream", null).header("Last-Event-ID", lastEventId).build(),
                BodyHandlers.ofLines()).body();
    }

    private static List<String> rest(Iterator<String> lines) {
        return Stream.iterate(lines, Iterator::hasNext, next -> next).map(Iterator::next).toList();
    }

    private static List<String> events(List<String> lines) {
        return lines.stream().filter(line -> line.startsWith("event: ")).map(line -> line.substring(7)).toList();
    }

    private JsonNode send(int replica, String method, String path, String body) throws IOException, InterruptedException {
        return Json.parse(http.send(request(replica, method, path, body).build(), BodyHandlers.ofString()).body());
    }

    private HttpRequest.Builder request(int replica, String method, String path, String body) {
        URI address = replicas.address(replica).resolve("/threads/" + thread + path);
        return HttpRequest.newBuilder(address).header("Content-Type", "application/json").timeout(Duration.ofMinutes(5))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    }
}
