package dev.waybill.runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.EventReader.Event;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.StoredThreadRuns;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import dev.waybill.runtime.storage.Owner;

/** Clients that stream all runs of a thread. */
@RuntimeTest
class ThreadStreamTest {

    @Inject
    ThreadStreams streams;

    @Inject
    StoredThreadRuns runs;

    private ThreadCaller thread;

    @BeforeEach
    void createThread() {
        thread = ThreadCaller.create();
    }

    @Test
    void runsAreStreamedOneAfterTheOther() {
        try (EventReader stream = open("", "")) {
            assertThat(stream.status()).isEqualTo(200);
            assertThat(stream.header("Content-Type")).startsWith("text/event-stream");
            stream.awaitHeartbeats(1);
            String first = thread.start(Bodies.threads("one", "\"stream_mode\": \"updates\""));
            String second = thread.start(Bodies.threads("two", "\"stream_mode\": \"updates\""));

            List<Event> ofFirst = untilDone(stream);
            List<Event> ofSecond = untilDone(stream);

            assertThat(ofFirst).extracting(Event::name).containsExactly("metadata", "updates", "updates", "metadata");
            assertThat(ofFirst).extracting(Event::id).allMatch(id -> id.startsWith(first + ":")).doesNotHaveDuplicates();
            assertThat(ofFirst.getFirst().data().get("run_id").textValue()).isEqualTo(first);
            assertThat(ofFirst.getLast().data().get("run_id").textValue()).isEqualTo(first);
            assertThat(ofSecond).extracting(Event::name).containsExactly("metadata", "updates", "updates", "metadata");
            assertThat(ofSecond).extracting(Event::id).allMatch(id -> id.startsWith(second + ":"));
        }
    }

    @Test
    void streamBeginsWithTheActiveRunFromNowOn() {
        thread.await(Bodies.threads("before"));
        String run = thread.start(Bodies.threads("wait 1500", "\"stream_resumable\": true"));
        thread.awaitBegin(run);

        try (EventReader stream = open("", "")) {
            List<Event> events = untilDone(stream);

            assertThat(events).extracting(Event::name).containsExactly("values", "metadata");
            assertThat(events.getLast().data().get("run_id").textValue()).isEqualTo(run);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = { false, true })
    void pendingRunIsStreamedFromItsStart(boolean resumable) {
        String running = thread.start(Bodies.threads("wait 1500", "\"stream_resumable\": true"));
        thread.awaitBegin(running);
        String pending = thread.start(Bodies.threads("next", "\"stream_resumable\": " + resumable,
                "\"stream_mode\": \"custom\""));

        try (EventReader stream = open("", "")) {
            assertThat(untilDone(stream).getLast().data().get("run_id").textValue()).isEqualTo(running);

            List<Event> events = untilDone(stream);
            assertThat(events).extracting(Event::name).containsExactly("metadata", "metadata");
            assertThat(events).extracting(event -> event.data().get("run_id").textValue()).containsOnly(pending);
        }
    }

    @Test
    void retainedEventsOfTheActiveRunAreStreamedOnRequest() {
        String run = thread.start(Bodies.threads("wait 1500", "\"stream_resumable\": true"));
        thread.awaitBegin(run);

        try (EventReader stream = open("", "-1")) {
            assertThat(untilDone(stream)).extracting(Event::name)
                    .containsExactly("metadata", "values", "values", "values", "metadata");
        }
    }

    @Test
    void lifecycleHasStartsAndEndsOnly() {
        try (EventReader stream = open("?stream_mode=lifecycle", "")) {
            assertThat(stream.header("Location")).endsWith("/stream?stream_mode=lifecycle");
            stream.awaitHeartbeats(1);
            String run = thread.start(Bodies.threads("fail"));

            List<Event> events = untilDone(stream);

            assertThat(events).extracting(Event::name).containsExactly("metadata", "metadata");
            assertThat(events).extracting(event -> event.data().get("run_id").textValue()).containsOnly(run);
        }
    }

    @Test
    void cancelledAndFailedRunsEndWithTheirErrors() {
        try (EventReader stream = open("?stream_mode=run_modes&stream_mode=lifecycle", "")) {
            stream.awaitHeartbeats(1);
            String run = thread.start(Bodies.threads("wait 60000", "\"stream_mode\": \"custom\""));
            assertThat(stream.next().orElseThrow().name()).isEqualTo("metadata");
            thread.post("/" + run + "/cancel", "").then().statusCode(202);

            List<Event> cancelled = untilDone(stream);
            assertThat(cancelled).extracting(Event::name).containsExactly("error", "metadata");
            assertThat(cancelled.getFirst().data().get("error").textValue()).isEqualTo("Cancelled");

            thread.await(Bodies.threads("fail", "\"stream_mode\": \"custom\""));
            assertThat(untilDone(stream)).extracting(Event::name).containsExactly("metadata", "error", "metadata");
        }
    }

    @Test
    void delayedRunDoesNotBlockTheOneBeforeIt() {
        try (EventReader stream = open("", "")) {
            stream.awaitHeartbeats(1);
            String delayed = thread.start(Bodies.threads("later", "\"after_seconds\": 3", "\"stream_mode\": \"custom\""));
            String first = thread.start(Bodies.threads("first", "\"stream_mode\": \"custom\""));

            assertThat(untilDone(stream).getLast().id()).startsWith(first);
            assertThat(untilDone(stream).getLast().id()).startsWith(delayed);
        }
    }

    @Test
    void reconnectedClientMissesNoEventAndGetsNoneTwice() {
        String body = Bodies.threads("hello", "\"stream_resumable\": true", "\"stream_mode\": \"updates\"");
        List<Event> all = new ArrayList<>();
        try (EventReader stream = open("", "")) {
            stream.awaitHeartbeats(1);
            thread.start(body);
            all.addAll(List.of(stream.next().orElseThrow(), stream.next().orElseThrow()));
        }
        String second = thread.start(body);
        thread.awaitStatus(second, "success");

        try (EventReader stream = open("", all.getLast().id())) {
            all.addAll(untilDone(stream));
            all.addAll(untilDone(stream));
        }
        assertThat(all).extracting(Event::name).containsExactly("metadata", "updates", "updates", "metadata", "metadata",
                "updates", "updates", "metadata");
        assertThat(all).extracting(Event::id).doesNotHaveDuplicates();

        try (EventReader stream = open("", all.getLast().id())) {
            stream.awaitHeartbeats(1);
            String third = thread.start(body);
            assertThat(untilDone(stream)).extracting(Event::id).allMatch(id -> id.startsWith(third));
        }
    }

    @Test
    void slowClientDoesNotStopTheStreamOfAnother() {
        try (EventReader stalled = open("", ""); EventReader stream = open("", "")) {
            stalled.awaitHeartbeats(1);
            stream.awaitHeartbeats(1);
            thread.await(Bodies.threads("hello"));

            assertThat(untilDone(stream)).isEqualTo(untilDone(stalled));
        }
    }

    @Test
    void deletionOfTheThreadEndsTheStream() {
        try (EventReader stream = open("", "")) {
            stream.awaitHeartbeats(1);
            Caller.authorized().delete("/threads/" + thread.id()).then().statusCode(204);

            List<Event> rest = stream.rest();
            assertThat(rest).extracting(Event::name).containsExactly("error");
            assertThat(rest.getFirst().data().get("error").textValue()).isEqualTo("ThreadDeleted");
        }
    }

    @Test
    void missingThreadIsNotFound() {
        try (EventReader stream = EventReader.ofThread(UUID.randomUUID().toString(), "", "")) {
            assertThat(stream.status()).isEqualTo(404);
        }
        new Caller("issued-" + UUID.randomUUID()).get("/threads/" + thread.id() + "/stream").then().statusCode(404);
    }

    @ParameterizedTest
    @CsvSource({ "?stream_mode=values, ''", "'', x",
            "'', 6e3b0c44-298f-4c14-9af3-1b2c3d4e5f60:1" })
    void invalidModeOrPositionIsRejected(String query, String lastEventId) {
        try (EventReader stream = open(query, lastEventId)) {
            assertThat(stream.status()).isEqualTo(422);
        }
    }

    @Test
    void discardedEventsAreGone() {
        String run = thread.start(Bodies.threads("hello"));
        thread.awaitStatus(run, "success");

        try (EventReader stream = open("", run + ":0")) {
            assertThat(stream.status()).isEqualTo(410);
        }
    }

    @Test
    void eventsThatAreDiscardedMeanwhileAreMissed() {
        String run = thread.start(Bodies.threads("hello"));
        thread.awaitStatus(run, "success");
        CallerThread caller = new CallerThread(new Owner("local"), "local", UUID.fromString(thread.id()));
        Run ended = runs.findLocal(caller, UUID.fromString(run)).await().atMost(Duration.ofMinutes(1)).orElseThrow();

        ThreadRunSource.Local source = new ThreadRunSource.Local(ended, log -> log.observe(1, () -> {
        }), false, after -> {
            throw new IllegalStateException("the run was not lost");
        });

        assertThat(source.misses(0)).isTrue();
        assertThat(source.isCompleteBefore(0)).isFalse();
        source.close();
    }

    @Test
    void discardedEventsOfLaterRunsAreGone() {
        String first = thread.start(Bodies.threads("hello", "\"stream_resumable\": true"));
        thread.awaitStatus(first, "success");
        String second = thread.start(Bodies.threads("hello"));
        thread.awaitStatus(second, "success");

        try (EventReader stream = open("", first + ":0")) {
            assertThat(stream.status()).isEqualTo(410);
        }
    }

    @Test
    void updatesOfTheStateAreSentOnRequest() {
        thread.await(Bodies.threads("hello"));
        try (EventReader stream = open("?stream_mode=state_update", "")) {
            assertThat(stream.header("Location")).endsWith("/stream?stream_mode=state_update");
            stream.awaitHeartbeats(2);
            thread.await(Bodies.threads("again"));
            Caller.authorized().post("/threads/" + thread.id() + "/state", "{\"values\": {\"log\": [\"added\"]}}").then()
                    .statusCode(200);

            Event event = stream.next().orElseThrow();
            assertThat(event.name()).isEqualTo("state_update");
            assertThat(event.data().get("thread_id").textValue()).isEqualTo(thread.id());
            assertThat(event.data().at("/state/values/log").toString()).isEqualTo("[\"hello\",\"again\",\"added\"]");
            assertThat(event.data().at("/state/checkpoint/checkpoint_id").textValue()).isNotNull();
        }
    }

    @Test
    void resumableRunOfADisconnectedClientIsCancelledDespiteTheStream() {
        try (EventReader stream = open("?stream_mode=lifecycle", "")) {
            stream.awaitHeartbeats(1);
            EventReader client = EventReader.streamOnThread(thread.id(),
                    Bodies.threads("wait 60000", "\"stream_resumable\": true"));
            String run = client.run();
            client.next();
            client.close();

            thread.awaitStatus(run, "interrupted");
            assertThat(untilDone(stream)).isNotEmpty();
        }
    }

    @Test
    void streamAboveTheLimitIsRejected() {
        int taken = streams.permits().drainPermits();
        try (EventReader stream = open("", "")) {
            assertThat(stream.status()).isEqualTo(429);
            assertThat(stream.header("Retry-After")).isEqualTo("1");
        } finally {
            streams.permits().release(taken);
        }

        try (EventReader stream = open("", "")) {
            assertThat(stream.status()).isEqualTo(200);
        }
        Patience.await().until(() -> streams.permits().availablePermits() == ThreadStreams.MAX_OPEN);
    }

    private EventReader open(String query, String lastEventId) {
        return EventReader.ofThread(thread.id(), query, lastEventId);
    }

    /** Returns the events until the next end of a run. */
    private static List<Event> untilDone(EventReader stream) {
        List<Event> events = new ArrayList<>();
        do {
            events.add(stream.next().orElseThrow());
        } while (!events.getLast().data().path("status").asText().equals("run_done"));
        return events;
    }
}
