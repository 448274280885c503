package dev.waybill.runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.ControlPlaneStub;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.EventReader.Event;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;
import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.EventChunk;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.Replica;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.State;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.ThreadStorage.ChannelValue;
import dev.waybill.runtime.storage.ThreadStorage.ThreadStatus;
import io.restassured.response.Response;
import io.smallrye.mutiny.Uni;

/** Clients that join a run which another replica executes. The test is the other replica. */
@RuntimeTest
class OtherReplicaTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final UUID replica = UUID.randomUUID();

    @Inject
    RuntimeStorage storage;

    @Test
    void streamHasHeartbeatsAndTheStoredResult() {
        ThreadCaller thread = ThreadCaller.create();
        RunFence run = begin(thread);

        try (EventReader stream = EventReader.joinOnThread(thread.id(), run.run().toString(), "-1")) {
            Event first = stream.next().orElseThrow();
            assertThat(first.name()).isEqualTo("metadata");
            assertThat(first.data().get("run_id").textValue()).isEqualTo(run.run().toString());
            stream.awaitHeartbeats(2);
            succeed(run);

            List<Event> rest = stream.rest();
            assertThat(rest).extracting(Event::name).containsExactly("values", "end");
            assertThat(rest.getFirst().data().at("/log/0").textValue()).isEqualTo("done");
        }
    }

    @Test
    void streamHasTheStoredEventsAfterItsPosition() {
        ThreadCaller thread = ThreadCaller.create();
        RunFence run = begin(thread);
        await(runs().appendEvents(run, List.of(chunk(run, 0, 1), chunk(run, 2, 4))));

        try (EventReader stream = EventReader.joinOnThread(thread.id(), run.run().toString(), run.run() + ":2")) {
            assertThat(stream.next()).isPresent();
            assertThat(List.of(stream.next().orElseThrow().id(), stream.next().orElseThrow().id()))
                    .containsExactly(run.run() + ":3", run.run() + ":4");
            // A new relay begins with another event.
            await(runs().appendEvents(run, List.of(chunk(run, 3, 5))));
            succeed(run);

            assertThat(stream.rest()).extracting(Event::id).containsExactly(run.run() + ":5", "", "");
        }
    }

    private static EventChunk chunk(RunFence run, int first, int last) {
        String events = IntStream.rangeClosed(first, last)
                .mapToObj(number -> "event: custom\ndata: {\"a\": \"b:c\"}\n: checkpoint {\"id\": \"c\"}\nid: " + run.run()
                        + ":" + number + "\n\n")
                .collect(Collectors.joining());
        return new EventChunk(first, last, events.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void streamOfAnEndedRunHasItsResult() {
        ThreadCaller thread = ThreadCaller.create();
        RunFence run = begin(thread);
        succeed(run);

        try (EventReader stream = EventReader.joinOnThread(thread.id(), run.run().toString(), "-1")) {
            assertThat(stream.rest()).extracting(Event::name).containsExactly("metadata", "values", "end");
        }
    }

    @Test
    void streamOfACancelledRunEndsWithAnError() {
        ThreadCaller thread = ThreadCaller.create();
        RunFence run = begin(thread);

        try (EventReader stream = EventReader.joinOnThread(thread.id(), run.run().toString(), "-1")) {
            thread.post("/" + run.run() + "/cancel", "").then().statusCode(202);
            end(run, new RunEnd(Status.INTERRUPTED, null, ThreadStatus.IDLE, null, false));

            assertThat(stream.rest().getLast().data().get("error").textValue()).isEqualTo("Cancelled");
        }
    }

    @Test
    void streamEndsWithAnErrorIfTheThreadIsDeleted() {
        ThreadCaller thread = ThreadCaller.create();
        RunFence run = begin(thread);

        try (EventReader stream = EventReader.joinOnThread(thread.id(), run.run().toString(), "-1")) {
            assertThat(stream.next()).isPresent();
            Caller.authorized().delete("/threads/" + thread.id()).then().statusCode(204);

            assertThat(stream.rest().getLast().data().get("error").textValue()).isEqualTo("RunLost");
        }
    }

    @Test
    void streamOfTheThreadHasTheRunsOfBothReplicas() {
        ThreadCaller thread = ThreadCaller.create();
        try (EventReader stream = EventReader.ofThread(thread.id(), "", "")) {
            stream.awaitHeartbeats(1);
            RunFence run = begin(thread);
            assertThat(stream.next().orElseThrow().data().get("run_id").textValue()).isEqualTo(run.run().toString());
            await(runs().appendEvents(run, List.of(chunk(run, 0, 1))));
            assertThat(List.of(stream.next().orElseThrow().id(), stream.next().orElseThrow().id()))
                    .containsExactly(run.run() + ":0", run.run() + ":1");
            // The values of a run are sent only before the next one has changed them.
            String next = thread.start(Bodies.threads("wait 60000", "\"stream_mode\": \"custom\""));
            succeed(run);

            List<Event> rest = Stream.generate(() -> stream.next().orElseThrow()).limit(3).toList();
            assertThat(rest).extracting(Event::name).containsExactly("values", "metadata", "metadata");
            assertThat(rest.get(1).data().get("status").textValue()).isEqualTo("run_done");
            assertThat(rest.get(2).data().get("run_id").textValue()).isEqualTo(next);
            thread.post("/" + next + "/cancel", "").then().statusCode(202);
            assertThat(List.of(stream.next().orElseThrow().name(), stream.next().orElseThrow().name()))
                    .containsExactly("error", "metadata");
        }
    }

    @Test
    void streamOfTheThreadHasRunsInTheirOrder() {
        ThreadCaller thread = ThreadCaller.create();
        try (EventReader stream = EventReader.ofThread(thread.id(), "?stream_mode=lifecycle", "")) {
            stream.awaitHeartbeats(1);
            RunFence first = begin(thread);
            succeed(first);
            String second = thread.start(Bodies.threads("second"));
            thread.awaitStatus(second, "success");
            RunFence third = begin(thread);
            succeed(third);
            String fourth = thread.start(Bodies.threads("fourth"));

            assertThat(Stream.generate(() -> stream.next().orElseThrow().data().get("run_id").textValue()).limit(8))
                    .containsExactly(first.run().toString(), first.run().toString(), second, second, third.run().toString(),
                            third.run().toString(), fourth, fourth);
        }
    }

    @Test
    void channelsOfTheThreadHaveTheRunOfTheOtherReplica() {
        ThreadCaller thread = ThreadCaller.create();
        RunFence run = begin(thread);
        await(runs().appendEvents(run, List.of(chunk(run, 0, 1))));
        try (EventReader stream = EventReader.channels(thread.id(),
                "{\"channels\": [\"lifecycle\", \"custom\", \"values\"]}")) {
            List<Event> events = Stream.generate(() -> stream.next().orElseThrow()).limit(3).toList();
            assertThat(events).extracting(Event::name).containsExactly("lifecycle", "custom", "custom");
            assertThat(events.getFirst().id()).startsWith("synth:" + run.run());
            succeed(run);

            assertThat(stream.next().orElseThrow().data().at("/params/data/log/0").textValue()).isEqualTo("done");
            assertThat(stream.next().orElseThrow().data().at("/params/data/event").textValue()).isEqualTo("completed");
        }
    }

    @Test
    void onlyTheNewestEndedRunHasTheValuesOfTheThread() {
        ThreadCaller thread = ThreadCaller.create();
        succeed(begin(thread));
        succeed(begin(thread));

        try (EventReader stream = EventReader.channels(thread.id(),
                "{\"channels\": [\"lifecycle\", \"values\"], \"since\": 0}")) {
            assertThat(Stream.generate(() -> stream.next().orElseThrow().name()).limit(5)).containsExactly("lifecycle",
                    "lifecycle", "lifecycle", "values", "lifecycle");
        }
    }

    @Test
    void runIsNotInterruptedByTheNextRunOfTheThread() {
        ThreadCaller thread = ThreadCaller.create();
        RunFence first = begin(thread);
        await(runs().begin(newRun(thread, ThreadOwner.of("key:test"))));
        try (EventReader stream = EventReader.channels(thread.id(), "{\"channels\": [\"lifecycle\", \"input\"]}")) {
            assertThat(lifecycle(stream)).isEqualTo("running");

            RunFence second = await(runs().end(first, success())).orElseThrow().fence();
            State asks = new State(Map.of("log", new ChannelValue("1", "[]")), Set.of("log"),
                    "{\"task\":[{\"id\":\"i\",\"value\":\"sure?\"}]}", null);
            end(second, new RunEnd(Status.SUCCESS, null, ThreadStatus.INTERRUPTED, asks, false));

            assertThat(List.of(lifecycle(stream), lifecycle(stream), lifecycle(stream), lifecycle(stream)))
                    .containsExactly("completed", "running", "input.requested", "interrupted");
        }
    }

    @Test
    void rolledBackRunOfTheThreadIsInterrupted() {
        ThreadCaller thread = ThreadCaller.create();
        RunFence run = begin(thread);
        try (EventReader stream = EventReader.channels(thread.id(), "{\"channels\": [\"lifecycle\"]}")) {
            assertThat(lifecycle(stream)).isEqualTo("running");

            end(run, RunEnd.rolledBack());

            Event end = stream.next().orElseThrow();
            assertThat(end.data().at("/params/data")).hasToString("{\"event\":\"interrupted\"}");
        }
    }

    @Test
    void runThatEndedBeforeItsNumbersIsContinued() {
        ThreadCaller thread = ThreadCaller.create();
        long created = System.currentTimeMillis() + 3_600_000;
        RunFence first = begin(thread, created);
        succeed(first);
        succeed(begin(thread, created + 1_000));

        try (EventReader stream = EventReader.channels(thread.id(),
                "{\"channels\": [\"lifecycle\"], \"since\": " + (created * 1_000 + 9) + "}")) {
            Event end = stream.next().orElseThrow();
            assertThat(end.id()).isEqualTo("synth:" + first.run() + ":end");
            assertThat(lifecycle(stream)).isEqualTo("running");
        }
    }

    /** Begins a run whose id has another time than the storage, as that of a replica with another clock. */
    private RunFence begin(ThreadCaller thread, long millis) {
        await(runs().renew(ofTest()));
        NewRun run = new NewRun(ThreadOwner.of("key:test"), UUID.fromString(thread.id()),
                new UUID(millis << 16 | 7 << 12, UUID.randomUUID().getLeastSignificantBits()), Kind.RUN, replica,
                UUID.randomUUID(), MultitaskStrategy.ENQUEUE, "{}", "{}".getBytes(StandardCharsets.UTF_8), null, null);
        return ((Begun.Running) await(runs().begin(run))).fence();
    }

    /** Returns what the next event tells about its run. */
    private static String lifecycle(EventReader stream) {
        Event event = stream.next().orElseThrow();
        return event.name().equals("lifecycle") ? event.data().at("/params/data/event").textValue() : event.name();
    }

    @Test
    void streamOfTheThreadHasRunsThatWaitedAtItsBegin() {
        ThreadCaller thread = ThreadCaller.create();
        RunFence first = begin(thread);
        NewRun waiting = newRun(thread, ThreadOwner.of("key:test"));
        assertThat(await(runs().begin(waiting))).isInstanceOf(Begun.Queued.class);
        await(runs().begin(newRun(thread, ThreadOwner.of("key:test"))));
        try (EventReader stream = EventReader.ofThread(thread.id(), "?stream_mode=lifecycle", "")) {
            assertThat(stream.next().orElseThrow().data().get("run_id").textValue()).isEqualTo(first.run().toString());

            succeed(first);

            assertThat(stream.next().orElseThrow().data().get("status").textValue()).isEqualTo("run_done");
            assertThat(stream.next().orElseThrow().data().get("run_id").textValue()).isEqualTo(waiting.id().toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "interrupt", "rollback" })
    void cancellationWaitsForTheEndOfTheRun(String action) {
        ThreadCaller thread = ThreadCaller.create();
        RunFence run = begin(thread);
        CompletableFuture<Response> cancelled = CompletableFuture
                .supplyAsync(() -> thread.post("/" + run.run() + "/cancel?wait=1&action=" + action, ""));
        Patience.await().until(() -> !await(runs().renew(ofTest())).cancellations().isEmpty());
        assertThat(cancelled).isNotDone();

        end(run, action.equals("rollback") ? RunEnd.rolledBack()
                : new RunEnd(Status.INTERRUPTED, null, ThreadStatus.IDLE, null, false));

        assertThat(cancelled.join().statusCode()).isEqualTo(204);
    }

    @Test
    void valuesFollowTheEndOfTheRun() {
        ThreadCaller thread = ThreadCaller.create();
        RunFence run = begin(thread);
        CompletableFuture<Response> values = CompletableFuture.supplyAsync(() -> thread.get("/" + run.run() + "/join"));
        try (EventReader stream = EventReader.joinOnThread(thread.id(), run.run().toString(), "-1")) {
            stream.awaitHeartbeats(3);
        }
        assertThat(values).isNotDone();
        succeed(run);

        Response response = values.join();
        assertThat(response.asString()).as("heartbeats").startsWith("\n");
        assertThat(response.jsonPath().getString("log[0]")).isEqualTo("done");
    }

    @Test
    @Tag("full")
    void streamEndsWhenItsKeyIsRevoked() {
        String key = "issued-" + UUID.randomUUID();
        Caller caller = new Caller(key);
        ThreadCaller thread = new ThreadCaller(caller, caller.post("/threads", "{}").path("thread_id"));
        RunFence run = begin(thread, ThreadOwner.of("workspace:" + ControlPlaneStub.WORKSPACE));

        try (EventReader stream = EventReader.followOnThread(thread.id(), run.run().toString(), key)) {
            assertThat(stream.next()).isPresent();
            ControlPlaneStub.revoke(key);

            assertThat(stream.rest().getLast().data().get("error").textValue()).isEqualTo("AccessRefused");
        }
    }

    private RunFence begin(ThreadCaller thread) {
        return begin(thread, ThreadOwner.of("key:test"));
    }

    /** Begins a run on the other replica. */
    private RunFence begin(ThreadCaller thread, Owner owner) {
        await(runs().renew(ofTest()));
        return ((Begun.Running) await(runs().begin(newRun(thread, owner)))).fence();
    }

    private NewRun newRun(ThreadCaller thread, Owner owner) {
        return new NewRun(owner, UUID.fromString(thread.id()), UUID.randomUUID(), Kind.RUN, replica, UUID.randomUUID(),
                MultitaskStrategy.ENQUEUE, "{}", "{}".getBytes(StandardCharsets.UTF_8), null, null);
    }

    private Replica ofTest() {
        return new Replica(replica, Duration.ofMinutes(10), List.of(), List.of());
    }

    private void succeed(RunFence run) {
        end(run, success());
    }

    private static RunEnd success() {
        State state = new State(Map.of("log", new ChannelValue("1", "[\"done\"]")), Set.of("log"), "{}", null);
        return new RunEnd(Status.SUCCESS, null, ThreadStatus.IDLE, state, false);
    }

    private void end(RunFence run, RunEnd end) {
        await(runs().end(run, end));
    }

    private RunStorage runs() {
        return storage.find().orElseThrow().runs();
    }

    private static <T> T await(Uni<T> result) {
        return result.await().atMost(PATIENCE);
    }
}
