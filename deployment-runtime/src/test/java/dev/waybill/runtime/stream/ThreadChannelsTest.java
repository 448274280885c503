package dev.waybill.runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.json.RequestBodyReader;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;
import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.run.AnsweredException;
import dev.waybill.runtime.run.CreateThreadRunRequest;
import dev.waybill.runtime.run.StoredThreadRuns;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import dev.waybill.runtime.run.ThreadRunService;
import dev.waybill.runtime.run.ThreadSnapshot;
import io.restassured.response.Response;

/** The agent streaming protocol: commands, and subscriptions to channels of a thread. */
@RuntimeTest
class ThreadChannelsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final String ALL = "[\"values\", \"updates\", \"messages\", \"lifecycle\", \"input\"]";

    @Inject
    ThreadRunService runs;

    @Inject
    StoredThreadRuns stored;

    @Inject
    RequestBodyReader bodies;

    private final Caller caller = Caller.authorized();
    private final String thread = UUID.randomUUID().toString();

    @Test
    void startedRunIsReadFromItsStart() {
        Response started = start("hello");
        started.then().statusCode(200).body("type", equalTo("success")).body("id", equalTo(7))
                .body("meta.thread_id", equalTo(thread)).body("meta.applied_through_seq", greaterThan(0L));

        try (EventReader stream = subscribe(ALL, "")) {
            List<JsonNode> events = untilEnd(stream);

            assertThat(events).extracting(ThreadChannelsTest::summary)
                    .startsWith("lifecycle running", "values null").contains("updates null").endsWith("lifecycle completed");
            assertThat(events).extracting(event -> event.get("seq").longValue()).isSorted()
                    .allMatch(seq -> seq > started.<Long> path("meta.applied_through_seq"));
            assertThat(events.getFirst().get("event_id").textValue()).startsWith("synth:" + started.path("result.run_id"));
        }
    }

    @Test
    void endedRunIsReadAgainAndLaterOnesFollow() {
        start("one");
        List<JsonNode> first;
        try (EventReader stream = subscribe(ALL, "")) {
            first = untilEnd(stream);
        }

        try (EventReader stream = subscribe(ALL, "")) {
            assertThat(untilEnd(stream)).isEqualTo(first);
            start("two");
            List<JsonNode> second = untilEnd(stream);
            assertThat(second).extracting(ThreadChannelsTest::summary).startsWith("lifecycle running")
                    .endsWith("lifecycle completed");
            assertThat(second.getFirst().get("seq").longValue()).isGreaterThan(first.getLast().get("seq").longValue());
        }
    }

    @Test
    void sinceContinuesAfterAnEvent() {
        start("one");
        List<JsonNode> first;
        try (EventReader stream = subscribe(ALL, "")) {
            first = untilEnd(stream);
        }
        start("two");
        long since = first.get(2).get("seq").longValue();

        try (EventReader stream = subscribe(ALL, ", \"since\": " + since)) {
            assertThat(untilEnd(stream)).isEqualTo(first.subList(3, first.size()));
            assertThat(untilEnd(stream)).isNotEmpty();
        }
    }

    @Test
    void interruptIsAnsweredById() {
        start("ask");
        try (EventReader stream = subscribe("[\"lifecycle\", \"input\"]", "")) {
            List<JsonNode> asked = untilEnd(stream);
            assertThat(asked).extracting(ThreadChannelsTest::summary)
                    .containsSubsequence("lifecycle running", "input.requested null", "lifecycle interrupted");
            JsonNode request = asked.stream().filter(event -> event.get("method").asText().startsWith("input")).findFirst()
                    .orElseThrow().at("/params/data");
            assertThat(request.at("/payload/question").textValue()).isEqualTo("sure?");

            send("input.respond", "{\"interrupt_id\": \"unknown\", \"response\": \"yes\"}").then().statusCode(200)
                    .body("error", equalTo("no_such_interrupt"));
            send("input.respond",
                    "{\"interrupt_id\": " + request.get("interrupt_id") + ", \"response\": \"yes\", \"namespace\": []}")
                    .then().statusCode(200).body("type", equalTo("success"));

            assertThat(untilEnd(stream)).extracting(ThreadChannelsTest::summary).endsWith("lifecycle completed");
        }
        caller.get("/threads/" + thread).then().body("values.messages[1].content", equalTo("answered yes"));
        send("input.respond", "{\"interrupt_id\": \"i\", \"response\": 1}").then().body("error", equalTo("invalid_argument"));
    }

    @Test
    void inputOfAnInterruptedThreadIsItsAnswer() {
        start("ask");
        try (EventReader stream = subscribe("[\"lifecycle\"]", "")) {
            untilEnd(stream);
            send("run.start", "{\"assistant_id\": \"threads\", \"input\": \"no\"}").then().body("type", equalTo("success"));
            untilEnd(stream);
        }
        caller.get("/threads/" + thread).then().body("values.messages[1].content", equalTo("answered no"));
    }

    @Test
    void inputDuringAnAnswerIsNoAnswer() {
        start("ask 2000");
        awaitEnd();
        send("run.start", "{\"assistant_id\": \"threads\", \"input\": \"yes\"}").then().body("type", equalTo("success"));
        try (EventReader stream = subscribe("[\"lifecycle\"]", "")) {
            start("next").then().body("type", equalTo("success"));

            untilEnd(stream);
            untilEnd(stream);
        }
        caller.get("/threads/" + thread).then().body("values.messages[1].content", equalTo("answered yes"))
                .body("values.messages[2].content", equalTo("next")).body("values.messages", hasSize(4));
    }

    @Test
    void secondAnswerIsRejected() {
        String answer = ask("ask 2000");
        send("input.respond", answer).then().body("type", equalTo("success"));

        send("input.respond", answer).then().statusCode(200).body("error", equalTo("no_such_interrupt"));

        caller.get("/threads/" + thread + "/runs").then().body("$", hasSize(2));
    }

    @Test
    void answerAfterTheEndOfAnotherOneIsRejected() {
        String answer = ask("ask");
        send("input.respond", answer).then().body("type", equalTo("success"));
        awaitEnd();

        send("input.respond", answer).then().statusCode(200).body("error", equalTo("invalid_argument"));

        caller.get("/threads/" + thread + "/runs").then().body("$", hasSize(2));
    }

    @Test
    void oneOfManySimultaneousAnswersIsAccepted() {
        String answer = ask("ask");

        List<String> types = IntStream.range(0, 16).parallel().mapToObj(i -> send("input.respond", answer))
                .map(response -> String.valueOf(response.<String> path("type"))).toList();

        assertThat(types).containsOnlyOnce("success");
        caller.get("/threads/" + thread + "/runs").then().body("$", hasSize(2));
    }

    @Test
    void answerToAnEarlierSnapshotStartsNoRun() {
        String answer = ask("ask");
        CallerThread owned = new CallerThread(ThreadOwner.of("key:any"), "key:any", UUID.fromString(thread));
        ThreadSnapshot asked = stored.snapshot(owned).await().atMost(PATIENCE);
        send("input.respond", answer).then().body("type", equalTo("success"));
        awaitEnd();
        CreateThreadRunRequest late = bodies.read(
                "{\"assistant_id\": \"threads\", \"command\": {\"resume\": \"yes\"}}".getBytes(StandardCharsets.UTF_8),
                CreateThreadRunRequest.class);

        assertThatThrownBy(() -> runs.answer(owned, late, asked).await().atMost(PATIENCE))
                .isInstanceOf(AnsweredException.class);

        caller.get("/threads/" + thread + "/runs").then().body("$", hasSize(2));
    }

    @Test
    void forkOfAnInterruptedThreadIsNoAnswer() {
        start("one");
        awaitEnd();
        String checkpoint = caller.get("/threads/" + thread + "/state").path("checkpoint.checkpoint_id");
        start("ask");
        awaitEnd();

        fork(checkpoint);
        awaitEnd();

        caller.get("/threads/" + thread).then().body("values.log", equalTo(List.of("one", "fork")));
    }

    @Test
    void failedRunHasItsError() {
        start("fail");

        try (EventReader stream = subscribe("[\"lifecycle\"]", "")) {
            JsonNode last = untilEnd(stream).getLast().at("/params/data");
            assertThat(last.get("event").textValue()).isEqualTo("failed");
            assertThat(last.get("error").textValue()).isEqualTo("The agent was asked to fail.");
        }
    }

    @Test
    void runsOfOtherClientsAreSent() {
        ThreadCaller of = ThreadCaller.create();
        try (EventReader stream = EventReader.channels(of.id(), "{\"channels\": [\"values\", \"lifecycle\"]}")) {
            stream.awaitHeartbeats(1);
            of.await(Bodies.threads("hello"));

            assertThat(untilEnd(stream)).extracting(ThreadChannelsTest::summary).startsWith("lifecycle running")
                    .contains("values null").endsWith("lifecycle completed");
        }
    }

    @Test
    void eventsAboveTheReadBudgetAreFollowedByOthers() {
        try (EventReader stream = subscribeToNewThread()) {
            start("fill 400000");
            start("fill 400000");

            assertThat(untilEnd(stream)).extracting(ThreadChannelsTest::summary).endsWith("lifecycle completed");
            assertThat(untilEnd(stream)).extracting(ThreadChannelsTest::summary).endsWith("lifecycle completed");
        }
    }

    private EventReader subscribeToNewThread() {
        caller.post("/threads", "{\"thread_id\": \"" + thread + "\"}").then().statusCode(200);
        EventReader stream = subscribe("[\"lifecycle\"]", "");
        stream.awaitHeartbeats(1);
        return stream;
    }

    @Test
    void runForksFromItsCheckpoint() {
        start("one");
        awaitEnd();
        String checkpoint = caller.get("/threads/" + thread + "/state").path("checkpoint.checkpoint_id");
        start("two");
        awaitEnd();

        fork(checkpoint);
        awaitEnd();

        caller.get("/threads/" + thread).then().body("values.log", equalTo(List.of("one", "fork")));
    }

    private void fork(String checkpoint) {
        send("run.start",
                "{\"assistant_id\": \"threads\", \"input\": {\"messages\": [{\"role\": \"user\", \"content\": \"fork\"}]},"
                        + "\"config\": {\"configurable\": {\"checkpoint_id\": \"" + checkpoint + "\"}}}")
                .then()
                .body("type", equalTo("success"));
    }

    @ParameterizedTest
    @CsvSource({ "state.get, not_supported", "subscription.subscribe, not_supported", "x, unknown_command",
            "run.start, invalid_argument", "input.respond, invalid_argument" })
    void commandThatCannotBeExecutedHasAnErrorCode(String method, String code) {
        send(method, "{}").then().statusCode(200).body("type", equalTo("error")).body("id", equalTo(7)).body("error",
                equalTo(code));
    }

    @ParameterizedTest
    @ValueSource(strings = { "{}", "{\"id\": -1, \"method\": \"run.start\"}", "{\"id\": 1}", "{\"id\": 1, \"method\": 2}" })
    void invalidCommandIsRejected(String body) {
        caller.post("/threads/" + thread + "/commands", body).then().statusCode(422);
    }

    @Test
    void runThatCannotBeCreatedHasItsStatus() {
        send("run.start", "{\"assistant_id\": \"unknown\", \"input\": {}}").then().statusCode(404);
        send("run.start", "{\"assistant_id\": \"threads\", \"input\": {}, \"config\": 1}").then().statusCode(422)
                .body("errors", hasSize(1));
        start("wait 60000");
        send("run.start", "{\"assistant_id\": \"threads\", \"input\": {}, \"multitask_strategy\": \"reject\"}").then()
                .statusCode(409);
        caller.post("/runs/cancel", "{\"thread_id\": \"" + thread + "\", \"status\": \"all\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = { "{}", "{\"channels\": []}", "{\"channels\": [\"values\"], \"since\": -1}",
            "{\"channels\": [\"values\"], \"depth\": -1}", "{\"channels\": [null]}",
            "{\"channels\": [\"values\"], \"namespaces\": [null]}",
            "{\"channels\": [\"values\"], \"namespaces\": [[\"a\", null]]}" })
    void invalidSubscriptionIsRejected(String body) {
        caller.post("/threads", "{\"thread_id\": \"" + thread + "\"}").then().statusCode(200);
        caller.post("/threads/" + thread + "/stream/events", body).then().statusCode(422);
    }

    @Test
    void missingOrForeignThreadIsNotFound() {
        caller.post("/threads/" + thread + "/stream/events", "{\"channels\": [\"values\"]}").then().statusCode(404);
        start("hello").then().statusCode(200);
        new Caller("issued-" + UUID.randomUUID()).post("/threads/" + thread + "/stream/events", "{\"channels\": [\"values\"]}")
                .then().statusCode(404);
    }

    /** Starts a run that asks; returns the params of an answer. */
    private String ask(String message) {
        start(message);
        try (EventReader stream = subscribe("[\"input\", \"lifecycle\"]", "")) {
            return "{\"response\": \"yes\", \"interrupt_id\": "
                    + untilEnd(stream).stream().filter(event -> event.get("method").asText().startsWith("input"))
                            .findFirst().orElseThrow().at("/params/data/interrupt_id")
                    + "}";
        }
    }

    private Response start(String message) {
        return send("run.start", Bodies.threads(message));
    }

    private Response send(String method, String params) {
        return caller.post("/threads/" + thread + "/commands",
                "{\"id\": 7, \"method\": \"" + method + "\", \"params\": " + params + "}");
    }

    private EventReader subscribe(String channels, String more) {
        return EventReader.channels(thread, "{\"channels\": " + channels + more + "}");
    }

    private void awaitEnd() {
        try (EventReader stream = subscribe("[\"lifecycle\"]", "")) {
            untilEnd(stream);
        }
    }

    /** Returns the events until the end of the next run. */
    private static List<JsonNode> untilEnd(EventReader stream) {
        assertThat(stream.status()).isEqualTo(200);
        List<JsonNode> events = new ArrayList<>();
        do {
            events.add(stream.next().orElseThrow().data());
        } while (!summary(events.getLast()).matches("lifecycle (completed|failed|interrupted)")
                || !events.getLast().at("/params/namespace").isEmpty());
        return events;
    }

    private static String summary(JsonNode event) {
        JsonNode type = event.get("method").textValue().equals("lifecycle") ? event.at("/params/data/event") : null;
        return event.get("method").textValue() + " " + (type == null ? null : type.textValue());
    }
}
