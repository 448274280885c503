package dev.waybill.runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.EventReader.Event;
import dev.waybill.runtime.RuntimeSettings;
import dev.waybill.runtime.RuntimeTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;

@RuntimeTest
class RunLifecycleTest {

    private static final String RESUMABLE = "\"stream_resumable\": true";
    private static final String PIECES = "\"stream_mode\": \"messages-tuple\"";

    private final Caller caller = Caller.authorized();

    @Test
    void waitReturnsFinalValues() {
        caller.await(Bodies.agent("hello there")).then()
                .statusCode(200)
                .header("Content-Location", notNullValue())
                .body("messages", hasSize(2))
                .body("messages[1].content", equalTo("hello there"));
    }

    @Test
    void waitReturnsErrorOfFailedRun() {
        caller.await(Bodies.agent("fail")).then()
                .statusCode(200)
                .body("__error__.error", equalTo("AskedToFail"))
                .body("__error__.message", equalTo("The agent was asked to fail."));
    }

    @Test
    void backgroundRunCanBeReadLater() {
        String run = caller.start(Bodies.agent("hello", "\"metadata\": {\"customer\": \"Zoë\"}"));

        caller.awaitStatus(run, "success");
        caller.get("/runs/" + run).then()
                .statusCode(200)
                .body("run_id", equalTo(run))
                .body("metadata.customer", equalTo("Zoë"))
                .body("assistant_id", notNullValue())
                .body("error", nullValue());
    }

    @Test
    void failedRunHasError() {
        String run = caller.start(Bodies.agent("fail"));

        caller.awaitStatus(run, "error");
        caller.get("/runs/" + run).then().body("error.error", equalTo("AskedToFail"));
    }

    @Test
    void cancelledRunsStreamEndsWithErrorCancelled() {
        try (EventReader stream = EventReader.stream(Bodies.misbehaving("stay"))) {
            caller.cancel(stream.run()).then().statusCode(202);

            List<Event> events = stream.rest();
            assertThat(events).extracting(Event::name).containsExactly("metadata", "error");
            assertThat(events.getLast().data().at("/error").textValue()).isEqualTo("Cancelled");
            assertThat(caller.status(stream.run())).isEqualTo("interrupted");
            caller.cancel(stream.run()).then().statusCode(202);
        }
    }

    @Test
    void disconnectCancelsRun() {
        EventReader stream = EventReader.stream(Bodies.agent("tokens:100000 delay:20", PIECES));
        assertThat(stream.next()).isPresent();

        stream.close();

        caller.awaitStatus(stream.run(), "interrupted");
    }

    @Test
    void disconnectDoesNotCancelContinuingRun() {
        EventReader stream = EventReader.stream(Bodies.agent("tokens:20 delay:20", PIECES, "\"on_disconnect\": \"continue\""));
        assertThat(stream.next()).isPresent();

        stream.close();

        caller.awaitStatus(stream.run(), "success");
    }

    @Test
    void resumableRunIsCancelledAfterReconnectTimeout() {
        EventReader stream = EventReader.stream(Bodies.agent("tokens:100000 delay:20", PIECES, RESUMABLE));
        assertThat(stream.header("Location")).isEqualTo("/runs/" + stream.run() + "/stream");

        stream.close();

        caller.awaitStatus(stream.run(), "interrupted");
    }

    @Test
    void streamResumesAfterAnyEvent() {
        try (EventReader stream = EventReader.stream(Bodies.agent("tokens:8", PIECES, RESUMABLE))) {
            List<Event> all = stream.rest();
            assertThat(all).hasSize(10);

            // Also after the last event: the response is an empty stream, because clients reject other content types.
            for (int i = 0; i < all.size(); i++) {
                try (EventReader resumed = EventReader.join(stream.run(), all.get(i).id())) {
                    assertThat(resumed.status()).isEqualTo(200);
                    assertThat(resumed.rest()).isEqualTo(all.subList(i + 1, all.size()));
                }
            }
            try (EventReader fromTheStart = EventReader.join(stream.run(), "-1")) {
                assertThat(fromTheStart.rest()).isEqualTo(all);
            }
        }
    }

    @Test
    void reconnectingAfterEveryEventLosesNone() {
        List<Event> events = new ArrayList<>();
        EventReader stream = EventReader.stream(
                Bodies.agent("tokens:12 delay:10", PIECES, RESUMABLE, "\"on_disconnect\": \"continue\""));
        String run = stream.run();
        while (events.isEmpty() || !events.getLast().name().equals("end")) {
            events.add(stream.next().orElseThrow());
            stream.close();
            stream = EventReader.join(run, events.getLast().id());
        }
        stream.close();

        assertThat(events).extracting(Event::id)
                .isEqualTo(Stream.iterate(0, i -> i + 1).limit(14).map(i -> run + ":" + i).toList());
    }

    @Test
    void returns410ForDiscardedEvents() {
        String plain = caller.start(Bodies.agent("hello"));
        String large = caller.start(Bodies.agent("tokens:2000", PIECES, RESUMABLE));
        caller.awaitStatus(plain, "success");
        caller.awaitStatus(large, "success");

        try (EventReader gone = EventReader.join(plain, "-1");
                EventReader overwritten = EventReader.join(large, large + ":3")) {
            assertThat(gone.status()).isEqualTo(410);
            assertThat(overwritten.status()).isEqualTo(410);
        }
        try (EventReader end = EventReader.join(plain, ""); EventReader retained = EventReader.join(large, large + ":1990")) {
            assertThat(end.rest()).extracting(Event::name).containsExactly("end");
            assertThat(retained.rest()).hasSize(11);
        }
    }

    @Test
    void valuesOfBackgroundRunCanBeReadLater() {
        String run = caller.start(Bodies.agent("hello there"));

        Response joined = caller.get("/runs/" + run + "/join");
        Response again = caller.get("/threads/" + run + "/runs/" + run + "/join");

        joined.then().statusCode(200).header("Content-Location", equalTo("/runs/" + run))
                .body("messages[1].content", equalTo("hello there"));
        assertThat(again.asString().strip()).isEqualTo(joined.asString().strip());
    }

    @Test
    void joiningFailedRunReturnsError() {
        caller.get("/runs/" + caller.start(Bodies.agent("fail")) + "/join").then().statusCode(200)
                .body("__error__.error", equalTo("AskedToFail"));
    }

    @Test
    void onlyResumableStreamRetainsValues() {
        try (EventReader plain = EventReader.stream(Bodies.agent("hello"));
                EventReader resumable = EventReader.stream(Bodies.agent("hello", RESUMABLE))) {
            plain.rest();
            resumable.rest();

            caller.get("/runs/" + plain.run() + "/join").then().statusCode(410);
            caller.get("/runs/" + resumable.run() + "/join").then().statusCode(200)
                    .body("messages[1].content", equalTo("hello"));
        }
    }

    @Test
    void leavingJoinCancelsRunOnlyOnRequest() throws Exception {
        String run = caller.start(Bodies.agent("tokens:100000 delay:20"));

        leaveBehindHead("/runs/" + run + "/join");
        leaveBehindHead("/runs/" + run + "/join?cancel_on_disconnect=1");

        caller.awaitStatus(run, "interrupted");
        caller.get("/runs/" + run + "/join").then().body("__error__.error", equalTo("Cancelled"));
        caller.get("/runs/" + UUID.randomUUID() + "/join").then().statusCode(404);
    }

    /** Opens a request and reads its first byte, a heartbeat. */
    private void leaveBehindHead(String path) throws Exception {
        URLConnection connection = URI.create("http://localhost:" + RestAssured.port + path).toURL().openConnection();
        connection.setRequestProperty("X-Api-Key", caller.key());
        try (InputStream response = connection.getInputStream()) {
            assertThat(response.read()).isEqualTo('\n');
            ((HttpURLConnection) connection).disconnect();
        }
    }

    @Test
    void tooLargeMetadataReturns422() {
        caller.post("/runs", Bodies.agent("hello", "\"metadata\": {\"a\": \"" + "x".repeat(65_528) + "\"}")).then()
                .statusCode(200);
        caller.post("/runs", Bodies.agent("hello", "\"metadata\": {\"a\": \"" + "x".repeat(65_529) + "\"}")).then()
                .statusCode(422)
                .body("errors[0].loc", equalTo(List.of("metadata")))
                .body("errors[0].message", equalTo("must have at most 65536 bytes as JSON"));
    }

    @Test
    void eventIdOfAnotherRunReturns422() {
        String run = caller.start(Bodies.agent("hello"));

        try (EventReader other = EventReader.join(run, UUID.randomUUID() + ":1");
                EventReader none = EventReader.join(run, "x")) {
            assertThat(other.status()).isEqualTo(422);
            assertThat(none.status()).isEqualTo(422);
        }
    }

    @Test
    void joinStreamsFromNowOn() {
        String run = caller.start(Bodies.misbehaving("stay", "\"stream_mode\": \"custom\""));
        try (EventReader joined = EventReader.join(run, "")) {
            joined.awaitHeartbeats(1);

            caller.await(Bodies.misbehaving("end")).then().statusCode(200);

            assertThat(joined.rest()).extracting(Event::name).containsExactly("custom", "end");
        }
    }

    @Test
    void delayedRunIsPending() {
        String run = caller.start(Bodies.agent("hello", "\"after_seconds\": 3600"));

        assertThat(caller.status(run)).isEqualTo("pending");
        caller.cancel(run).then().statusCode(202);
        assertThat(caller.status(run)).isEqualTo("interrupted");
    }

    @Test
    void delayedRunStarts() {
        caller.awaitStatus(caller.start(Bodies.agent("hello", "\"after_seconds\": 0.05")), "success");
    }

    @Test
    void returns404ForAnotherPrincipalsRun() {
        String run = caller.start(Bodies.agent("hello", RESUMABLE));
        Caller other = new Caller(RuntimeSettings.OTHER_KEY);

        other.get("/runs/" + run).then().statusCode(404);
        other.get("/runs/" + run + "/stream").then().statusCode(404);
        other.cancel(run).then().statusCode(404);
        new Caller("unknown").get("/runs/" + run).then().statusCode(401).body("detail", equalTo("The API key is unknown."));
    }

    @Test
    void returns429AboveMaxConcurrentRuns() {
        List<String> runs = new ArrayList<>();
        try {
            // Runs of other tests may still be ending, so the exact number is unknown.
            Response last = caller.post("/runs", Bodies.agent("hello", "\"after_seconds\": 3600"));
            while (last.statusCode() == 200 && runs.size() <= RuntimeSettings.CONCURRENT_RUNS) {
                runs.add(last.path("run_id"));
                last = caller.post("/runs", Bodies.agent("hello", "\"after_seconds\": 3600"));
            }
            last.then()
                    .statusCode(429)
                    .header("Retry-After", equalTo("1"))
                    .contentType("application/problem+json");
        } finally {
            runs.forEach(caller::cancel);
        }
        caller.await(Bodies.agent("one more")).then().statusCode(200);
    }

    @Test
    void unknownAssistantReturns404WithKnownNames() {
        caller.post("/runs/stream", "{\"assistant_id\": \"nobody\", \"input\": null}").then()
                .statusCode(404)
                .body("detail", containsString("agent, langgraph, misbehaving"));
    }

    @Test
    void allViolationsAreReportedTogether() {
        caller.post("/runs/stream", """
                {"stream_mode": ["updates", "nonsense"], "on_disconnect": "wait", "after_seconds": -1, "stream_resumable": 7,
                 "config": [], "on_completion": "burn", "if_not_exists": 7, "multitask_strategy": "race",
                 "interrupt_before": ["model"], "interrupt_after": "*", "checkpoint": {}, "checkpoint_id": "a",
                 "checkpoint_during": true}""").then()
                .statusCode(422)
                .body("errors.loc.flatten()",
                        org.hamcrest.Matchers.hasItems("input", "interrupt_before", "interrupt_after", "checkpoint",
                                "checkpoint_id", "checkpoint_during", "assistant_id", "stream_mode", "on_disconnect",
                                "after_seconds",
                                "stream_resumable", "config", "on_completion", "if_not_exists", "multitask_strategy"));
    }

    @ParameterizedTest
    @ValueSource(strings = { "interrupt_before", "interrupt_after", "checkpoint", "checkpoint_id", "checkpoint_during" })
    void returns422ForMembersThatNeedAThread(String member) {
        for (String path : List.of("/runs/stream", "/runs/wait", "/runs")) {
            caller.post(path, Bodies.agent("hello", "\"" + member + "\": \"*\"")).then()
                    .statusCode(422)
                    .body("errors.loc[0]", equalTo(List.of(member)))
                    .body("errors.message[0]", containsString("needs a thread"));
        }
        caller.await(Bodies.agent("hello", "\"" + member + "\": null")).then().statusCode(200);
    }

    @Test
    void returns422WithoutInputAndCommand() {
        caller.post("/runs/wait", "{\"assistant_id\": \"agent\"}").then()
                .statusCode(422)
                .body("errors.loc[0]", equalTo(List.of("input")))
                .body("errors.type[0]", equalTo("missing"));
        caller.await("{\"assistant_id\": \"agent\", \"input\": null}").then().statusCode(200);
    }

    @Test
    void threadMembersWithoutEffectAreAccepted() {
        caller.await(Bodies.agent("hello", "\"on_completion\": \"delete\"", "\"if_not_exists\": \"create\"",
                "\"multitask_strategy\": \"enqueue\"", "\"checkpoint_during\": false", "\"durability\": \"exit\"")).then()
                .statusCode(200)
                .body("messages[1].content", equalTo("hello"));
    }

    @Test
    @Tag("full")
    void slowClientDelaysNoOtherAndLosesNothing() {
        // Given
        try (EventReader slow = EventReader.stream(Bodies.agent("tokens:60000", PIECES))) {
            assertThat(slow.next()).isPresent();

            // When
            try (EventReader fast = EventReader.stream(Bodies.agent("tokens:2000", PIECES))) {
                assertThat(fast.rest()).hasSize(2002);
            }

            // Then
            assertThat(caller.status(slow.run())).isEqualTo("running");
            assertThat(slow.rest()).hasSize(60_001).extracting(Event::name).endsWith("end");
        }
    }
}
