package dev.waybill.runtime.stream;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.EventReader.Event;
import dev.waybill.runtime.RuntimeSettings;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;
import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.Replica;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.RunStorage.StoredRun;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.smallrye.mutiny.Uni;

/** Repeated requests for runs on threads with the same {@code Idempotency-Key} start one run. */
@RuntimeTest
class KeyedThreadRunTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final String key = UUID.randomUUID().toString();

    @Inject
    RuntimeStorage storage;

    @Test
    void repeatedBackgroundRunIsTheSame() {
        ThreadCaller thread = ThreadCaller.create();
        Response first = post(thread, "", Bodies.threads("hello", "\"metadata\": {\"a\": 1, \"b\": 2}"));
        thread.awaitStatus(first.path("run_id"), "success");

        Response again = post(thread, "", Bodies.threads("hello", "\"metadata\": {\"b\": 2, \"a\": 1}"));

        again.then().statusCode(200).body("run_id", equalTo(first.path("run_id"))).body("status", equalTo("pending"))
                .body("metadata.a", equalTo(1)).header("Content-Location", first.header("Content-Location"));
        thread.get("").then().body("$", hasSize(1));
    }

    @Test
    void repeatedWaitReturnsTheSameValues() {
        ThreadCaller thread = ThreadCaller.create();
        Response first = post(thread, "/wait", Bodies.threads("hello"));

        Response again = post(thread, "/wait", Bodies.threads("hello"));

        assertThat(first.<List<String>> path("log")).containsExactly("hello");
        assertThat(again.<Object> path("")).isEqualTo(first.path(""));
        thread.get("").then().body("$", hasSize(1));
    }

    @Test
    void repeatedStreamHasTheEventsOfTheFirst() {
        ThreadCaller thread = ThreadCaller.create();
        String body = Bodies.threads("wait 300", "\"stream_mode\": \"updates\"");

        List<Event> first;
        List<Event> during;
        try (EventReader stream = EventReader.streamOnThread(thread.id(), body, key)) {
            String run = stream.run();
            try (EventReader again = EventReader.streamOnThread(thread.id(), body, key)) {
                assertThat(again.run()).isEqualTo(run);
                during = again.rest();
            }
            first = stream.rest();
        }
        List<Event> after;
        try (EventReader again = EventReader.streamOnThread(thread.id(), body, key)) {
            after = again.rest();
        }

        assertThat(during).extracting(Event::name).containsExactly("metadata", "updates", "updates", "end");
        assertThat(List.of(first, after)).containsOnly(during);
    }

    @Test
    void concurrentRequestsStartOneRun() {
        ThreadCaller thread = ThreadCaller.create();

        List<CompletableFuture<Response>> requests = Stream.generate(() -> CompletableFuture
                .supplyAsync(() -> post(thread, "", Bodies.threads("hello")), Thread::startVirtualThread)).limit(8).toList();

        assertThat(requests).extracting(request -> request.join().statusCode()).contains(200).isSubsetOf(200, 409);
        thread.get("").then().body("$", hasSize(1));
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "/stream", "/wait" })
    void anotherBodyOrInvalidKeyReturns422(String operation) {
        ThreadCaller thread = ThreadCaller.create();
        post(thread, operation, Bodies.threads("hello")).then().statusCode(200);

        post(thread, operation, Bodies.threads("goodbye")).then().statusCode(422)
                .body("errors[0].loc[0]", equalTo("Idempotency-Key")).body("errors[0].type", equalTo("reused"));
        post("two words", "/threads/" + thread.id() + "/runs" + operation, Bodies.threads("hello")).then().statusCode(422);

        thread.get("").then().body("$", hasSize(1));
    }

    @Test
    void keyCountsForItsThreadAndPathOnly() {
        ThreadCaller thread = ThreadCaller.create();
        post(thread, "", Bodies.threads("one")).then().statusCode(200);

        post(thread, "/wait", Bodies.threads("two")).then().statusCode(200);
        post(ThreadCaller.create(), "", Bodies.threads("three")).then().statusCode(200);

        thread.get("").then().body("$", hasSize(2));
    }

    @Test
    void rejectedRequestCanBeRepeated() {
        ThreadCaller missing = new ThreadCaller(Caller.authorized(), UUID.randomUUID().toString());
        post(missing, "/wait", Bodies.threads("hello")).then().statusCode(404);

        post(missing, "/wait", Bodies.threads("hello", "\"if_not_exists\": \"create\"")).then().statusCode(200);
    }

    @Test
    void repeatedRunWithAKeptThreadIsTheSame() {
        String body = Bodies.threads("hello", "\"on_completion\": \"keep\"");

        Response first = post(key, "/runs", body);
        Response again = post(key, "/runs", body);
        Response wait = post(key, "/runs/wait", body);

        again.then().statusCode(200).body("run_id", equalTo(first.path("run_id")))
                .body("thread_id", equalTo(first.path("thread_id")));
        assertThat(post(key, "/runs/wait", body).<Object> path("")).isEqualTo(wait.path(""));
        post(key, "/runs", Bodies.threads("goodbye", "\"on_completion\": \"keep\"")).then().statusCode(422);
    }

    @Test
    void runOfAnotherReplicaIsFound() {
        ThreadCaller thread = ThreadCaller.create();
        String body = Bodies.threads("hello");
        String id = post(thread, "", body).path("run_id");
        thread.awaitStatus(id, "success");
        StoredRun run = find(thread, id);
        thread.caller().delete("/threads/" + thread.id() + "/runs/" + id).then().statusCode(204);

        RunFence fence = beginElsewhere(run);

        post(thread, "", body).then().statusCode(200).body("run_id", equalTo(id)).body("status", equalTo("pending"));
        post(thread, "", Bodies.threads("goodbye")).then().statusCode(422);
        await(runs().end(fence, RunEnd.rolledBack()));
    }

    @Test
    void runThatIsExecutedAgainElsewhereHasNoEarlierEvents() {
        ThreadCaller thread = ThreadCaller.create();
        String body = Bodies.threads("hello", "\"stream_mode\": \"updates\"");
        String id;
        try (EventReader stream = EventReader.streamOnThread(thread.id(), body, key)) {
            id = stream.run();
            assertThat(stream.rest()).extracting(Event::name).contains("updates");
        }
        StoredRun run = find(thread, id);
        thread.caller().delete("/threads/" + thread.id() + "/runs/" + id).then().statusCode(204);
        RunFence fence = beginElsewhere(run);

        try (EventReader stream = EventReader.streamOnThread(thread.id(), body, key)) {
            assertThat(stream.run()).isEqualTo(id);
            await(runs().end(fence, new RunEnd(Status.SUCCESS, null, ThreadStatus.IDLE, null, false)));
            assertThat(stream.rest()).extracting(Event::name).containsExactly("metadata", "values", "end");
        }
    }

    @Test
    void keyOfADeletedRunIsUsedAgainAfterItsExecution() {
        ThreadCaller thread = ThreadCaller.create();
        // A graph with checkpoints would end by itself, at once or later, when its next checkpoint is rejected.
        String body = Bodies.ticketsWith("wait", "60000");
        String id = post(thread, "", body).path("run_id");
        thread.awaitStatus(id, "running");
        StoredRun deleted = find(thread, id);
        await(runs().end(RunFence.of(deleted), RunEnd.rolledBack()));

        post(thread, "", body).then().statusCode(409);
        Patience.await().until(() -> post(thread, "", body).statusCode() == 200);

        assertThat(find(thread, id).createdAt()).isAfter(deleted.createdAt());
        thread.post("/" + id + "/cancel?wait=1", "").then().statusCode(204);
        assertThat(thread.status(id)).isEqualTo("interrupted");
    }

    /** Begins the run on another replica. */
    private RunFence beginElsewhere(StoredRun run) {
        UUID replica = UUID.randomUUID();
        await(runs().renew(new Replica(replica, Duration.ofMinutes(10), List.of(), List.of())));
        return ((Begun.Running) await(runs().begin(new NewRun(run.thread().owner(), run.thread().thread(), run.id(), Kind.RUN,
                replica, run.assistant(), MultitaskStrategy.ENQUEUE, run.metadata(), run.request(), null, null)))).fence();
    }

    @Test
    void storedRequestHasNoKey() {
        ThreadCaller thread = ThreadCaller.create();
        String id = post(thread, "", Bodies.threads("hello")).path("run_id");

        assertThat(new String(find(thread, id).request(), StandardCharsets.UTF_8)).contains("fingerprint")
                .doesNotContain(key);
    }

    private StoredRun find(ThreadCaller thread, String run) {
        return await(runs().find(ThreadOwner.of("key:test"), UUID.fromString(thread.id()), UUID.fromString(run))).orElseThrow();
    }

    private RunStorage runs() {
        return storage.find().orElseThrow().runs();
    }

    private static <T> T await(Uni<T> result) {
        return result.await().atMost(PATIENCE);
    }

    private Response post(ThreadCaller thread, String operation, String body) {
        return post(key, "/threads/" + thread.id() + "/runs" + operation, body);
    }

    private static Response post(String idempotencyKey, String path, String body) {
        return given().header("X-Api-Key", RuntimeSettings.KEY).header("Idempotency-Key", idempotencyKey)
                .contentType(ContentType.JSON).body(body).post(path);
    }
}
