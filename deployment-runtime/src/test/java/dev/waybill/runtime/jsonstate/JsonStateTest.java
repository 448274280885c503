package dev.waybill.runtime.jsonstate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.aMapWithSize;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;
import dev.waybill.runtime.jsonstate.JsonStateMemory.Reservation;
import dev.waybill.runtime.jsonstate.JsonStateMemory.UnavailableException;
import dev.waybill.runtime.worker.Workers;
import io.restassured.response.Response;

/** Threads of a command that keeps a JSON state. */
@RuntimeTest
class JsonStateTest {

    private static final String RESUME = "{\"assistant_id\": \"tickets\", \"command\": {\"resume\": \"yes\"}}";

    private ThreadCaller thread;

    @Inject
    Workers workers;

    @Inject
    JsonStateMemory memory;

    @BeforeEach
    void createThread() {
        Patience.await().until(() -> workers.unready().isEmpty());
        thread = ThreadCaller.create();
    }

    @Test
    void runGetsTheStateOfTheRunBefore() {
        thread.await(Bodies.tickets("count")).then().statusCode(200).body("step", equalTo(1));
        thread.await(Bodies.tickets("count")).then().statusCode(200).body("step", equalTo(2));

        thread.read().then().body("status", equalTo("idle")).body("values", equalTo(Map.of("step", 2)));
        state("").then().statusCode(200).body("values.step", equalTo(2)).body("next", empty())
                .body("metadata.source", equalTo("loop")).body("metadata.step", equalTo(1))
                .body("created_at", containsString("T"));
        history("").then().body("values.step", contains(2, 1)).body("[1].parent_checkpoint", nullValue())
                .body("[0].parent_checkpoint.checkpoint_id", equalTo(history("").path("[1].checkpoint.checkpoint_id")));
        history("?limit=1").then().body("values.step", contains(2));
        thread.caller().post("/threads/" + thread.id() + "/history", "{\"metadata\": {\"step\": 0}}").then()
                .body("values.step", contains(1));
    }

    @Test
    void valuesAreTheStateOfAWorkerWithoutAnother() {
        String talk = """
                {"assistant_id": "tickets", "input": {"do": "talk", "messages": [{"role": "user", "content": "%s"}]}}""";
        thread.await(talk.formatted("one")).then().statusCode(200);

        thread.await(talk.formatted("two")).then().body("messages.content", contains("one", "two"));

        thread.read().then().body("values.messages.content", contains("one", "two"));
        thread.get("/" + thread.get("").path("[0].run_id") + "/join").then()
                .body("messages.content", contains("one", "two"));
    }

    @Test
    void interruptWaitsForItsAnswer() {
        thread.await(Bodies.ticketsWith("ask", "\"Book it?\"")).then().statusCode(200)
                .body("asked", equalTo("Book it?")).body("__interrupt__[0].value.question", equalTo("Book it?"));
        thread.read().then().body("status", equalTo("interrupted"));
        state("").then().body("next", contains("tickets")).body("tasks[0].name", equalTo("tickets"))
                .body("interrupts[0].value.question", equalTo("Book it?"))
                .body("tasks[0].interrupts[0].id", equalTo(state("").path("interrupts[0].id")));

        String byId = RESUME.replace("\"yes\"", "{\"" + state("").path("interrupts[0].id") + "\": \"yes\"}");
        thread.await(byId).then().statusCode(200).body("answer", equalTo("yes")).body("$", not(hasKey("__interrupt__")));

        thread.read().then().body("status", equalTo("idle")).body("interrupts", aMapWithSize(0))
                .body("values.interrupts[0].value.question", equalTo("Book it?"));
        state("").then().body("next", empty()).body("values.answer", equalTo("yes"));
        history("").then().body("next", contains(List.of(), List.of("tickets")));
    }

    @Test
    void streamHasTheInterrupt() {
        try (EventReader stream = EventReader.streamOnThread(thread.id(),
                Bodies.ticketsWith("ask", "1", "\"stream_mode\": [\"updates\", \"values\"]"))) {
            List<EventReader.Event> events = stream.rest();

            assertThat(events).extracting(EventReader.Event::name).containsExactly("metadata", "updates", "values", "end");
            assertThat(events.get(1).data().at("/__interrupt__/0/value/question").intValue()).isEqualTo(1);
            assertThat(events.get(2).data().path("asked").intValue()).isEqualTo(1);
        }
    }

    @Test
    void updateReplacesMembersAndKeepsTheQuestion() {
        thread.await(Bodies.ticketsWith("ask", "1")).then().statusCode(200);

        String updated = update("{\"values\": {\"step\": 7, \"seat\": \"9A\"}}").then().statusCode(200)
                .extract().path("checkpoint.checkpoint_id");

        state("").then().body("values.step", equalTo(7)).body("values.seat", equalTo("9A")).body("next", contains("tickets"))
                .body("checkpoint.checkpoint_id", equalTo(updated)).body("metadata.source", equalTo("update"));
        thread.read().then().body("status", equalTo("interrupted")).body("values.seat", equalTo("9A"));
        thread.await(RESUME).then().statusCode(200);
        state("").then().body("values.step", equalTo(8)).body("values.seat", equalTo("9A"));
        update("{\"values\": {}, \"as_node\": \"other\"}").then().statusCode(422).body("errors[0].loc[0]", equalTo("as_node"));
        update("{\"values\": [1]}").then().statusCode(422);
        update("{\"values\": {\"\": 1}}").then().statusCode(422);
        thread.read().then().body("status", equalTo("idle"));
    }

    @Test
    void runForksFromAnEarlierCheckpoint() {
        thread.await(Bodies.ticketsWith("count", "\"a\"")).then().statusCode(200);
        String first = state("").path("checkpoint.checkpoint_id");
        thread.await(Bodies.ticketsWith("count", "\"b\"")).then().statusCode(200);

        thread.await(Bodies.tickets("count", "\"checkpoint_id\": \"" + first + "\"")).then().body("step", equalTo(2));

        state("").then().body("values.value", equalTo("a")).body("parent_checkpoint.checkpoint_id", equalTo(first));
        thread.read().then().body("values.value", equalTo("a")).body("values.step", equalTo(2));
        history("").then().body("values.value", contains("a", "b", "a"));
        state("/" + first).then().body("values.step", equalTo(1));
        state("/" + UUID.randomUUID()).then().statusCode(404);
        thread.await(Bodies.tickets("count", "\"checkpoint_id\": \"" + UUID.randomUUID() + "\"")).then().statusCode(404);
        update("{\"values\": {\"value\": \"c\"}, \"checkpoint_id\": \"" + first + "\"}").then().statusCode(200);
        state("").then().body("values.value", equalTo("c")).body("values.step", equalTo(1));
    }

    @Test
    void copyHasStateAndHistory() {
        thread.await(Bodies.tickets("count")).then().statusCode(200);
        thread.await(Bodies.ticketsWith("ask", "1")).then().statusCode(200);

        String copy = thread.caller().post("/threads/" + thread.id() + "/copy", "").then().statusCode(200)
                .extract().path("thread_id");

        ThreadCaller copied = new ThreadCaller(thread.caller(), copy);
        assertThat(copied.status()).isEqualTo("interrupted");
        thread.caller().get("/threads/" + copy + "/history").then().body("values.step", contains(2, 1));
        copied.await(RESUME).then().body("answer", equalTo("yes"));
        assertThat(thread.status()).isEqualTo("interrupted");
    }

    @Test
    @Tag("full")
    void largeStateIsStoredAndATooLargeOneIsRejected() {
        String fill = "{\"name\": \"%s\", \"size\": %s}";
        thread.await(Bodies.ticketsWith("fill", fill.formatted("a", 12_000_000))).then().statusCode(200);
        assertThat(state("").<String> path("values.a")).hasSize(12_000_000);

        thread.await(Bodies.ticketsWith("fill", fill.formatted("b", 10_000_000))).then().statusCode(200)
                .body("__error__.error", equalTo("StateTooLarge")).body("__error__.message", containsString("20971520"));

        thread.read().then().body("status", equalTo("error")).body("values.step", equalTo(1));
        history("").then().body("$", hasSize(1));
        thread.await(Bodies.tickets("count")).then().body("step", equalTo(2));
    }

    @Test
    @Tag("full")
    void updateAboveTheLimitOfTheStateIsTooLarge() {
        String fill = "{\"name\": \"%s\", \"size\": %s}";
        thread.await(Bodies.ticketsWith("fill", fill.formatted("a", 12_000_000))).then().statusCode(200);
        thread.await(Bodies.ticketsWith("fill", fill.formatted("b", 7_500_000))).then().body("$", not(hasKey("__error__")));

        update("{\"values\": {\"c\": \"%s\"}}".formatted("x".repeat(1_600_000))).then().statusCode(413)
                .contentType("application/problem+json");

        thread.read().then().body("status", equalTo("idle")).body("values.step", equalTo(2));
        history("").then().body("$", hasSize(2));
    }

    @Test
    void runWaitsForMemoryOfItsState() {
        thread.await(Bodies.ticketsWith("count", "\"%s\"".formatted("x".repeat(1_000)))).then().body("step", equalTo(1));
        List<Reservation> others = new ArrayList<>();
        for (int size : List.of(JsonState.MAX_BYTES, 400)) {
            assertThatThrownBy(() -> Stream.generate(() -> memory.reserve(size)).forEach(others::add))
                    .isInstanceOf(UnavailableException.class);
        }
        long before = memory.refused();

        String run = thread.start(Bodies.tickets("count"));
        Patience.await().until(() -> memory.refused() > before);
        assertThat(thread.status(run)).isEqualTo("running");
        others.forEach(Reservation::release);

        thread.awaitStatus(run, "success");
        thread.read().then().body("values.step", equalTo(2));
    }

    @Test
    void firstRunOfAThreadWaitsForMemory() {
        List<Reservation> others = new ArrayList<>();
        assertThatThrownBy(() -> Stream.generate(() -> memory.reserve(0)).forEach(others::add))
                .isInstanceOf(UnavailableException.class);
        long before = memory.refused();

        String run = thread.start(Bodies.tickets("count"));
        Patience.await().until(() -> memory.refused() > before);
        assertThat(thread.status(run)).isEqualTo("running");
        others.forEach(Reservation::release);

        thread.awaitStatus(run, "success");
    }

    @Test
    void repeatedAttemptUsesTheMemoryOfTheOneBefore() {
        thread.await(Bodies.ticketsWith("count", "\"%s\"".formatted("x".repeat(1_000)))).then().body("step", equalTo(1));
        List<Reservation> own = Stream.generate(() -> memory.reserve(400)).limit(1).toList();
        List<Reservation> others = new ArrayList<>();
        for (int size : List.of(JsonState.MAX_BYTES, 400)) {
            assertThatThrownBy(() -> Stream.generate(() -> memory.reserve(size)).forEach(others::add))
                    .isInstanceOf(UnavailableException.class);
        }
        own.forEach(Reservation::release);

        String run = thread.start(Bodies.tickets("die"));

        thread.awaitStatus(run, "error");
        others.forEach(Reservation::release);
        thread.read().then().body("values.step", equalTo(1));
    }

    @Test
    void failedRunKeepsTheStateUnlessItReturnsAnother() {
        thread.await(Bodies.tickets("count")).then().statusCode(200);
        thread.await(Bodies.tickets("fail")).then().body("__error__.error", equalTo("Odd"));
        thread.read().then().body("status", equalTo("error")).body("values.step", equalTo(1));
        thread.await(Bodies.tickets("invalid")).then().body("__error__.error", equalTo("InvalidState"));
        history("").then().body("$", hasSize(1));

        thread.await(Bodies.ticketsWith("fail", "{\"step\": 5}")).then().body("__error__.error", equalTo("Odd"));

        thread.read().then().body("status", equalTo("error")).body("values.step", equalTo(5));
        thread.await(Bodies.tickets("count")).then().body("step", equalTo(6));
    }

    @Test
    void cancelledRunKeepsTheState() {
        thread.await(Bodies.tickets("count")).then().statusCode(200);
        String run = thread.start(Bodies.ticketsWith("wait", "60000"));

        thread.post("/" + run + "/cancel?wait=true", "").then().statusCode(204);

        assertThat(thread.status(run)).isEqualTo("interrupted");
        assertThat(thread.status()).isEqualTo("idle");
        thread.await(Bodies.tickets("count")).then().body("step", equalTo(2));
    }

    @Test
    void deletedRunLeavesTheStateBefore() {
        thread.await(Bodies.ticketsWith("count", "\"a\"")).then().statusCode(200);
        String run = thread.start(Bodies.ticketsWith("count", "\"b\""));
        thread.awaitStatus(run, "success");

        thread.caller().delete("/threads/" + thread.id() + "/runs/" + run).then().statusCode(204);

        state("").then().body("values.value", equalTo("a"));
        thread.await(Bodies.tickets("count")).then().body("step", equalTo(2));
        history("").then().body("values.value", contains("a", "a"));
    }

    @Test
    void membersForNodesAndWorkersWithoutMemoryAreRejected() {
        thread.await(Bodies.tickets("count", "\"interrupt_before\": [\"a\"]")).then().statusCode(422)
                .body("errors[0].loc[0]", equalTo("interrupt_before"));
        thread.await("{\"assistant_id\": \"tickets\", \"command\": {\"goto\": \"a\"}}").then().statusCode(422)
                .body("errors[0].loc", contains("command", "goto"));
        thread.await(Bodies.misbehaving("anything")).then().statusCode(422).body("detail", containsString("remembers"));
        thread.read().then().body("status", equalTo("idle"));
    }

    @Test
    void newThreadHasTheStatesOfItsSupersteps() {
        String body = """
                {"metadata": {"graph_id": "tickets"%s}, "thread_id": "%s", "supersteps": [
                    {"updates": [{"values": {"step": 3}, "as_node": "tickets"}, {"values": {"seat": "9A"}, "command": null}]},
                    {"updates": [{"values": {"step": 4}, "as_node": %s}]}]}""";
        String id = UUID.randomUUID().toString();
        Caller caller = thread.caller();

        caller.post("/threads", body.formatted("", id, "\"other\"")).then().statusCode(422);
        caller.get("/threads/" + id).then().statusCode(404);
        caller.post("/threads", body.formatted("", id, "null")).then().statusCode(200).body("values.step", equalTo(4))
                .body("values.seat", equalTo("9A")).body("status", equalTo("idle"));

        caller.get("/threads/" + id + "/history").then().body("values.step", contains(4, 3));
        new ThreadCaller(caller, id).await(Bodies.tickets("count")).then().body("step", equalTo(5));
        caller.post("/threads", body.replace("\"thread_id\"", "\"if_exists\": \"do_nothing\", \"thread_id\"")
                .formatted("", id, "null")).then().statusCode(200).body("values.step", equalTo(5));
        caller.post("/threads", "{\"supersteps\": [{\"updates\": []}]}").then().statusCode(422);
    }

    @Test
    void existingThreadWithoutAStateGetsSupersteps() {
        String body = """
                {"metadata": {"graph_id": "tickets"}, "thread_id": "%s", "if_exists": "do_nothing"%s}"""
                .formatted(UUID.randomUUID(), "%s");
        Caller caller = thread.caller();

        caller.post("/threads", body.formatted("")).then().statusCode(200);
        caller.post("/threads", body.formatted(", \"supersteps\": [{\"updates\": [{\"values\": {\"step\": 3}}]}]"))
                .then().statusCode(200).body("values.step", equalTo(3));
    }

    @Test
    void graphIsDrawnAsOneNode() {
        Caller caller = thread.caller();

        caller.get("/assistants/tickets/graph").then().statusCode(200)
                .body("nodes.id", equalTo(List.of("__start__", "tickets", "__end__")))
                .body("edges[1]", equalTo(Map.of("source", "tickets", "target", "__end__")));
        caller.get("/assistants/tickets/subgraphs").then().statusCode(200).body("$", equalTo(Map.of()));
        caller.get("/assistants/misbehaving/graph").then().statusCode(422);
    }

    @Test
    void runWithoutAThreadKeepsOneOnRequest() {
        Caller caller = thread.caller();
        String kept = "\"on_completion\": \"keep\"";

        String location = caller.post("/runs/wait", Bodies.tickets("count", kept)).then().statusCode(200)
                .body("step", equalTo(1)).extract().header("Content-Location");
        String id = location.split("/")[2];
        new ThreadCaller(caller, id).await(Bodies.tickets("count")).then().body("step", equalTo(2));
        caller.post("/runs", Bodies.tickets("count", kept)).then().statusCode(200)
                .body("thread_id", not(equalTo(id)));
        try (EventReader stream = EventReader.stream(Bodies.tickets("count", kept))) {
            assertThat(stream.rest()).last().extracting(EventReader.Event::name).isEqualTo("end");
            assertThat(stream.header("Content-Location")).startsWith("/threads/");
        }
        caller.post("/runs/wait", Bodies.tickets("count")).then().header("Content-Location", containsString("/runs/"));
    }

    private Response state(String path) {
        return Caller.authorized().get("/threads/" + thread.id() + "/state" + path);
    }

    private Response history(String query) {
        return Caller.authorized().get("/threads/" + thread.id() + "/history" + query);
    }

    private Response update(String body) {
        return Caller.authorized().post("/threads/" + thread.id() + "/state", body);
    }
}
