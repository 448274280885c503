package dev.waybill.runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.startsWith;

import java.util.Collections;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Management;
import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.RuntimeSettings;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;
import io.restassured.response.Response;

/** Several runs in one request: their start and their cancellation. */
@RuntimeTest
class RunBatchTest {

    private static final String WAITING = Bodies.threads("wait 60000", "\"stream_resumable\": true");

    private final Caller caller = Caller.authorized();

    @Test
    void batchStartsRunsInTheOrderOfItsElements() {
        Response started = batch(Bodies.threads("one", "\"metadata\": {\"n\": 1}"), Bodies.agent("two"));

        started.then().statusCode(200).body("$", hasSize(2)).body("status", contains("pending", "pending"))
                .body("[0].metadata.n", equalTo(1));
        List<String> runs = started.path("run_id");
        assertThat(started.<List<String>> path("thread_id")).isEqualTo(runs);
        caller.get("/runs/" + runs.get(0) + "/join").then().statusCode(200).body("log", contains("one"));
        caller.awaitStatus(runs.get(1), "success");
    }

    @Test
    void runsThatKeepTheirThreadHaveOne() {
        Response started = batch(Bodies.threads("kept", "\"on_completion\": \"keep\""), Bodies.threads("alone"));

        String thread = started.path("[0].thread_id");
        assertThat(thread).isNotEqualTo(started.path("[0].run_id"));
        Patience.await().until(() -> "idle".equals(caller.get("/threads/" + thread).path("status")));
        caller.get("/threads/" + thread).then().body("values.log", contains("kept"));
    }

    @Test
    void violationsOfAllElementsAreReported() {
        Response rejected = batch(Bodies.threads("one"), "{\"assistant_id\": \"threads\"}", "1",
                Bodies.threads("two", "\"after_seconds\": -1", "\"webhook\": 3"));

        rejected.then().statusCode(422).body("errors", hasSize(4))
                .body("errors.loc.collect { it[0] }", contains(1, 2, 3, 3)).body("detail", containsString("[1].input"));
        assertThat(activeRuns()).isZero();
    }

    @Test
    void unknownAssistantsAreReportedTogether() {
        batch(Bodies.threads("one"), "{\"assistant_id\": \"nobody\", \"input\": 1}",
                "{\"assistant_id\": \"none\", \"input\": 1}")
                .then().statusCode(404).body("detail", startsWith("[1].assistant_id, [2].assistant_id: "));
        assertThat(activeRuns()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = { "{}", "[]", "null" })
    void bodyThatIsNoListOfRunsIsRejected(String body) {
        caller.post("/runs/batch", body).then().statusCode(422);
    }

    @Test
    void batchAboveALimitStartsNoRun() {
        String[] tooMany = Collections.nCopies(101, WAITING).toArray(String[]::new);
        batch(tooMany).then().statusCode(422);

        String[] many = Collections.nCopies(RuntimeSettings.CONCURRENT_RUNS + 1, WAITING).toArray(String[]::new);
        batch(many).then().statusCode(429).header("Retry-After", "1");
        assertThat(activeRuns()).isZero();
    }

    @Test
    void namedRunsOfAThreadAreCancelled() {
        ThreadCaller thread = ThreadCaller.create();
        String running = begin(thread);
        String pending = thread.start(WAITING);
        String other = thread.start(Bodies.threads("other"));

        cancel("", "{\"thread_id\": \"%s\", \"run_ids\": [\"%s\", \"%s\"]}".formatted(thread.id(), running, pending))
                .then().statusCode(204);

        thread.awaitStatus(running, "interrupted");
        thread.awaitStatus(pending, "interrupted");
        thread.awaitStatus(other, "success");
    }

    @Test
    void rollbackDeletesTheRuns() {
        ThreadCaller thread = ThreadCaller.create();
        String running = begin(thread);
        String pending = thread.start(WAITING);

        cancel("?action=rollback", "{\"thread_id\": \"%s\", \"status\": \"all\"}".formatted(thread.id()))
                .then().statusCode(204);

        thread.awaitStatus(running, "missing");
        thread.awaitStatus(pending, "missing");
        thread.awaitStatus("idle");
    }

    @Test
    void onlyRunsWithTheStatusAreCancelled() {
        ThreadCaller thread = ThreadCaller.create();
        String running = begin(thread);
        String pending = thread.start(WAITING);

        cancel("", "{\"status\": \"pending\"}").then().statusCode(204);
        thread.awaitStatus(pending, "interrupted");
        assertThat(thread.status(running)).isEqualTo("running");

        cancel("", "{\"status\": \"running\"}").then().statusCode(204);
        thread.awaitStatus(running, "interrupted");
    }

    @Test
    void runsWithoutAThreadAreCancelledByStatusOrId() {
        String first = caller.start(WAITING);
        String second = caller.start(WAITING);
        caller.awaitStatus(first, "running");

        cancel("", "{\"thread_id\": \"%1$s\", \"run_ids\": [\"%1$s\"]}".formatted(first)).then().statusCode(204);
        caller.awaitStatus(first, "interrupted");
        assertThat(caller.status(second)).isIn("pending", "running");

        cancel("", "{\"status\": \"all\"}").then().statusCode(204);
        caller.awaitStatus(second, "interrupted");
    }

    @Test
    void missingRunCancelsNone() {
        ThreadCaller thread = ThreadCaller.create();
        String run = begin(thread);
        String body = "{\"thread_id\": \"%s\", \"run_ids\": [\"%s\", \"%s\"]}";

        cancel("", body.formatted(thread.id(), run, UUID.randomUUID())).then().statusCode(404);
        cancel("", "{\"thread_id\": \"%s\", \"status\": \"all\"}".formatted(UUID.randomUUID())).then().statusCode(404);
        new Caller("issued-" + UUID.randomUUID())
                .post("/runs/cancel", "{\"thread_id\": \"%s\", \"run_ids\": [\"%s\"]}".formatted(thread.id(), run))
                .then().statusCode(404);

        assertThat(thread.status(run)).isEqualTo("running");
        thread.post("/" + run + "/cancel", "");
    }

    @ParameterizedTest
    @ValueSource(strings = { "{}", "{\"thread_id\": \"6e3b0c44-298f-4c14-9af3-1b2c3d4e5f60\"}", "{\"status\": \"success\"}",
            "{\"run_ids\": [\"6e3b0c44-298f-4c14-9af3-1b2c3d4e5f60\"]}",
            "{\"run_ids\": [\"6e3b0c44-298f-4c14-9af3-1b2c3d4e5f60\"], \"status\": \"all\"}" })
    void invalidSelectionIsRejected(String body) {
        cancel("", body).then().statusCode(422).body("errors", hasSize(1));
        cancel("?action=stop", "{\"status\": \"all\"}").then().statusCode(422);
    }

    private Response batch(String... runs) {
        return caller.post("/runs/batch", "[" + String.join(",", runs) + "]");
    }

    private Response cancel(String query, String body) {
        return caller.post("/runs/cancel" + query, body);
    }

    private static String begin(ThreadCaller thread) {
        String run = thread.start(WAITING);
        thread.awaitBegin(run);
        return run;
    }

    private static int activeRuns() {
        return Management.get("/q/metrics").lines().filter(line -> line.startsWith("waybill_runtime_runs_active"))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))).findFirst()
                .orElseThrow();
    }
}
