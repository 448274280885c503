package dev.waybill.runtime.state;

import static org.hamcrest.Matchers.aMapWithSize;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;
import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.Replica;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.worker.Workers;
import io.restassured.response.Response;

/** States of threads of a graph of LangGraph.js, which updates create. */
@RuntimeTest
class StateResourceTest {

    private static final String MESSAGE = "{\"messages\": [{\"role\": \"user\", \"content\": \"%s\"}]}";

    private final Caller caller = Caller.authorized();

    @Inject
    RuntimeStorage storage;

    @Inject
    Workers workers;

    @Test
    @Tag("full")
    void updateAboveTheLimitOfTheStateIsTooLarge() {
        ThreadCaller thread = ThreadCaller.create();
        thread.await(Bodies.threads("fill 10000000", "\"stream_mode\": \"custom\"")).then().statusCode(200);
        thread.await(Bodies.threads("fill 10200000", "\"stream_mode\": \"custom\"")).then().statusCode(200)
                .body("messages", hasSize(4));

        caller.post("/threads/" + thread.id() + "/state",
                "{\"values\": " + MESSAGE.formatted("x".repeat(900_000)) + ", \"as_node\": \"talk\"}")
                .then().statusCode(413).contentType("application/problem+json").body("detail", containsString("20971520"));

        thread.read().then().body("status", equalTo("idle"));
    }

    @BeforeEach
    void awaitWorkers() {
        Patience.await().until(() -> workers.unready().isEmpty());
    }

    @Test
    void threadWithoutGraphHasAnEmptyState() {
        String thread = create("{}");

        caller.get("/threads/" + thread + "/state").then().statusCode(200)
                .body("values", aMapWithSize(0)).body("next", empty()).body("tasks", empty())
                .body("checkpoint", nullValue());
        caller.get("/threads/" + thread + "/history").then().statusCode(200).body("$", empty());
        update(thread, MESSAGE.formatted("hello"), "").then().statusCode(422).body("detail", containsString("graph_id"));
        caller.get("/threads/" + thread + "/state/" + UUID.randomUUID()).then().statusCode(404);
    }

    @Test
    void updateAddsACheckpointAndStoresTheValues() {
        String thread = create("{\"graph_id\": \"langgraph\"}");

        Response updated = update(thread, MESSAGE.formatted("hello"), ", \"as_node\": \"__start__\"");

        updated.then().statusCode(200).body("checkpoint.thread_id", equalTo(thread)).body("checkpoint.checkpoint_ns",
                equalTo(""));
        String checkpoint = updated.path("checkpoint.checkpoint_id");
        caller.get("/threads/" + thread + "/state").then().statusCode(200)
                .body("values.messages[0].content", equalTo("hello"))
                .body("checkpoint.checkpoint_id", equalTo(checkpoint))
                .body("next", contains("planner"))
                .body("tasks.name", contains("planner"));
        caller.get("/threads/" + thread).then()
                .body("values.messages[0].content", equalTo("hello"))
                .body("status", equalTo("interrupted"));
    }

    @Test
    void historyContainsEarlierStatesInPages() {
        String thread = create("{\"graph_id\": \"langgraph\"}");
        String first = update(thread, MESSAGE.formatted("one"), ", \"as_node\": \"answer\"").path("checkpoint.checkpoint_id");
        String second = update(thread, MESSAGE.formatted("two"), ", \"as_node\": \"answer\"").path("checkpoint.checkpoint_id");

        caller.get("/threads/" + thread + "/history").then().statusCode(200)
                .body("checkpoint.checkpoint_id", contains(second, first))
                .body("values.messages.content", contains(List.of("one", "two"), List.of("one")))
                .body("[0].parent_checkpoint.checkpoint_id", equalTo(first));
        caller.get("/threads/" + thread + "/history?limit=1").then()
                .body("checkpoint.checkpoint_id", contains(second));
        caller.post("/threads/" + thread + "/history", "{\"before\": {\"configurable\": {\"checkpoint_id\": \"%s\"}}}"
                .formatted(second)).then().body("checkpoint.checkpoint_id", contains(first));
        caller.post("/threads/" + thread + "/history", "{\"metadata\": {\"step\": 0}}").then().body("$", hasSize(1));
        caller.get("/threads/" + thread + "/state/" + first).then().statusCode(200)
                .body("values.messages.content", contains("one")).body("next", empty());
    }

    @Test
    void updateOfAnEarlierCheckpointForksTheThread() {
        String thread = create("{\"graph_id\": \"langgraph\"}");
        String first = update(thread, MESSAGE.formatted("one"), ", \"as_node\": \"answer\"").path("checkpoint.checkpoint_id");
        update(thread, MESSAGE.formatted("two"), ", \"as_node\": \"answer\"");

        update(thread, MESSAGE.formatted("three"), ", \"checkpoint_id\": \"%s\", \"as_node\": \"answer\"".formatted(first))
                .then()
                .statusCode(200);

        caller.get("/threads/" + thread).then().body("values.messages.content", contains("one", "three"));
        caller.post("/threads/" + thread + "/state/checkpoint",
                "{\"checkpoint\": {\"checkpoint_id\": \"%s\"}, \"subgraphs\": true}".formatted(first)).then().statusCode(200)
                .body("values.messages.content", contains("one"));
    }

    @Test
    void checkpointsOfOtherThreadsAreMissing() {
        String thread = create("{\"graph_id\": \"langgraph\"}");
        String other = create("{\"graph_id\": \"langgraph\"}");
        String foreign = update(other, MESSAGE.formatted("one"), ", \"as_node\": \"answer\"").path("checkpoint.checkpoint_id");
        String named = "{\"checkpoint\": {\"thread_id\": \"%s\"}}".formatted(other);

        caller.get("/threads/" + thread + "/state/" + foreign).then().statusCode(404).body("detail", containsString(foreign));
        update(thread, MESSAGE.formatted("two"), ", \"checkpoint_id\": \"%s\"".formatted(foreign)).then().statusCode(404);
        caller.post("/threads/" + thread + "/state/checkpoint", named).then().statusCode(404);
        caller.post("/threads/" + thread + "/history", named).then().statusCode(404);
        caller.get("/threads/" + UUID.randomUUID() + "/state").then().statusCode(404);
        caller.get("/threads/" + UUID.randomUUID() + "/history").then().statusCode(404);
    }

    @Test
    void busyThreadCannotBeUpdated() {
        String thread = create("{\"graph_id\": \"langgraph\"}");
        // Without the lease of its replica, the runtime would take the run over.
        UUID replica = UUID.randomUUID();
        storage().runs().renew(new Replica(replica, Duration.ofMinutes(10), List.of(), List.of())).await().indefinitely();
        NewRun run = new NewRun(ThreadOwner.of("key:any"), UUID.fromString(thread), UUID.randomUUID(), Kind.RUN, replica,
                UUID.randomUUID(), MultitaskStrategy.REJECT, "{}", new byte[0], null, null);
        Begun.Running running = (Begun.Running) storage().runs().begin(run).await().indefinitely();

        update(thread, MESSAGE.formatted("one"), "").then().statusCode(409);
        storage().runs().end(running.fence(), RunEnd.rolledBack()).await().indefinitely();
        update(thread, MESSAGE.formatted("one"), ", \"as_node\": \"answer\"").then().statusCode(200);
    }

    @Test
    void stateOfAnInterruptedRunIsEditedBeforeItResumes() {
        String thread = create("{}");
        caller.post("/threads/" + thread + "/runs/wait", Bodies.threads("ask")).then().statusCode(200);
        caller.get("/threads/" + thread + "/state").then().statusCode(200)
                .body("next", contains("talk"))
                .body("tasks[0].interrupts[0].value.question", equalTo("sure?"))
                .body("interrupts[0].value.question", equalTo("sure?"))
                .body("values.log", contains("ask"));

        update(thread, "{\"log\": [\"edited\"]}", ", \"as_node\": \"begin\"").then().statusCode(200);

        caller.get("/threads/" + thread).then().body("status", equalTo("interrupted")).body("values.log",
                contains("ask", "edited"));
        caller.post("/threads/" + thread + "/runs/wait", Bodies.threads("hello")).then().statusCode(200);
        caller.get("/threads/" + thread + "/state").then()
                .body("values.log", contains("ask", "edited", "hello")).body("next", empty());
        caller.get("/threads/" + thread + "/history?limit=100").then().body("values.log", hasItem(List.of("ask")));
    }

    @Test
    void failedUpdateLeavesTheThreadAsItWas() {
        String thread = create("{\"graph_id\": \"langgraph\"}");

        update(thread, MESSAGE.formatted("one"), ", \"as_node\": \"nobody\"").then().statusCode(422)
                .body("detail", containsString("nobody"));

        caller.get("/threads/" + thread).then().body("status", equalTo("idle")).body("values", nullValue());
        caller.get("/threads/" + thread + "/history").then().body("$", empty());
    }

    @Test
    void graphWithoutCheckpointsCannotBeUpdated() {
        String thread = create("{\"graph_id\": \"misbehaving\"}");

        caller.get("/threads/" + thread + "/state").then().statusCode(200).body("values", aMapWithSize(0));
        update(thread, MESSAGE.formatted("one"), "").then().statusCode(422).body("detail", containsString("no checkpoints"));
        String unknown = create("{\"graph_id\": \"nothing\"}");
        caller.get("/threads/" + unknown + "/state").then().statusCode(422)
                .body("detail", containsString("agent, langgraph, misbehaving, threads"));
    }

    @Test
    void allViolationsOfARequestAreReported() {
        String thread = create("{}");

        update(thread, "{}", ", \"as_node\": \"\", \"checkpoint\": {\"checkpoint_id\": \"x\"}, \"checkpoint_id\": 1").then()
                .statusCode(422)
                .body("errors.loc", containsInAnyOrder(List.of("as_node"), List.of("checkpoint", "checkpoint_id"),
                        List.of("checkpoint_id")));
        caller.post("/threads/" + thread + "/history", "{\"limit\": 0, \"before\": \"x\", \"metadata\": []}").then()
                .statusCode(422)
                .body("errors.loc", containsInAnyOrder(List.of("limit"), List.of("before"), List.of("metadata")));
        caller.get("/threads/" + thread + "/history?limit=1001&before=x").then().statusCode(422)
                .body("errors.loc", containsInAnyOrder(List.of("limit"), List.of("before")));
    }

    private String create(String metadata) {
        return caller.post("/threads", "{\"metadata\": %s}".formatted(metadata)).then().statusCode(200)
                .extract().path("thread_id");
    }

    private Response update(String thread, String values, String more) {
        return caller.post("/threads/" + thread + "/state", "{\"values\": %s%s}".formatted(values, more));
    }

    private Storage storage() {
        return storage.find().orElseThrow();
    }
}
