package dev.waybill.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;
import dev.waybill.runtime.assistant.Assistant;
import dev.waybill.runtime.assistant.AssistantCatalog;
import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RuntimeStorage;

/** Streams of threads whose runs end on one replica and continue, or are stored, on another. */
@RuntimeTest
class ReleasedRunChannelsTest {

    private static final Owner OWNER = new Owner("local");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Inject
    ThreadRuns runs;

    @Inject
    RunLifecycleService lifecycle;

    @Inject
    RunRegistry registry;

    @Inject
    AssistantCatalog assistants;

    @Inject
    ObjectMapper mapper;

    @Inject
    RuntimeStorage storage;

    private ThreadCaller thread;
    private RunFence fence;

    @BeforeEach
    void createThread() {
        thread = ThreadCaller.create();
    }

    @Test
    void releasedRunHasNoEndAndLaterOtherNumbers() throws IOException {
        Run run = begin();
        try (EventReader channels = channels("")) {
            channels.awaitHeartbeats(2);
            run.stop(RunStatus.INTERRUPTED, RunError.STOPPED);
            List<String> lifecycles = new ArrayList<>(List.of(lifecycle(channels.next().orElseThrow().data())));
            runs.recover();
            thread.awaitStatus(run.id().toString(), "success");
            assertThat(registry.find(run.id()).orElseThrow().log().begin()).isEqualTo(EventLog.ATTEMPT_NUMBERS);
            thread.start(Bodies.threads("next"));

            untilEnd(channels).forEach(event -> lifecycles.add(lifecycle(event)));
            assertThat(lifecycles).filteredOn(status -> !status.isEmpty()).containsExactly("running", "running", "completed");
        }
    }

    @Test
    void lostRunIsStreamedUntilItsNextAttemptEnds() throws IOException {
        Run run = begin();
        try (EventReader channels = channels(""); EventReader events = EventReader.ofThread(thread.id(), "", "-1")) {
            channels.awaitHeartbeats(2);
            // Another replica has taken it over.
            storage.find().orElseThrow().runs().release(fence).await().atMost(PATIENCE);
            runs.find(run.id()).orElseThrow().stop(RunStatus.ERROR, RunError.LOST);
            Patience.await().until(() -> run.status() == RunStatus.ERROR);
            runs.recover();

            List<JsonNode> sent = untilEnd(channels);

            assertThat(sent).extracting(ReleasedRunChannelsTest::lifecycle).filteredOn(status -> !status.isEmpty())
                    .containsExactly("running", "completed");
            assertThat(sent).filteredOn(event -> event.get("method").textValue().equals("values")).last()
                    .extracting(event -> event.at("/params/data/log/0").textValue()).isEqualTo("hello");
            assertThat(untilDone(events)).contains("values").doesNotContain("error");
        }
    }

    @Test
    void lostRunThatWasNotTakenOverHasFailedOnce() throws IOException {
        Run run = begin();
        try (EventReader channels = channels("")) {
            channels.awaitHeartbeats(2);
            runs.find(run.id()).orElseThrow().stop(RunStatus.ERROR, RunError.LOST);
            thread.awaitStatus(run.id().toString(), "error");
            thread.start(Bodies.threads("next"));

            assertThat(untilEnd(channels)).extracting(ReleasedRunChannelsTest::lifecycle).containsExactly("running", "failed");
            assertThat(untilEnd(channels)).extracting(ReleasedRunChannelsTest::lifecycle).contains("running", "completed");
        }
    }

    /** Returns the names of the events until the end of the next run. */
    private static List<String> untilDone(EventReader events) {
        List<String> names = new ArrayList<>();
        EventReader.Event event;
        do {
            event = events.next().orElseThrow();
            names.add(event.name());
        } while (!event.data().path("status").asText().equals("run_done"));
        return names;
    }

    @Test
    void runThatOnlyTheStorageHasHasOneEnd() {
        String run = thread.start(Bodies.threads("hello", "\"stream_resumable\": true"));
        List<JsonNode> local = untilEnd();
        thread.awaitStatus(run, "success");
        registry.discard(registry.find(UUID.fromString(run)).orElseThrow());

        List<JsonNode> stored = untilEnd();
        List<JsonNode> later = untilEnd(", \"since\": " + local.getLast().get("seq"));

        assertThat(stored).extracting(event -> event.get("method").textValue()).containsExactly("lifecycle", "values",
                "lifecycle");
        assertThat(later).extracting(ReleasedRunChannelsTest::id).containsExactly(id(stored.get(1)), id(stored.get(2)));
        assertThat(local).extracting(ReleasedRunChannelsTest::id).contains(id(stored.getFirst()), id(stored.getLast()))
                .doesNotContain(id(stored.get(1)));
        assertThat(stored.get(1).at("/params/data/log/0").textValue()).isEqualTo("hello");
    }

    private EventReader channels(String more) {
        return EventReader.channels(thread.id(), "{\"channels\": [\"lifecycle\", \"values\"]" + more + "}");
    }

    private List<JsonNode> untilEnd() {
        return untilEnd("");
    }

    private List<JsonNode> untilEnd(String more) {
        try (EventReader channels = channels(more)) {
            return untilEnd(channels);
        }
    }

    /** Returns the events until the end of the next run. */
    private static List<JsonNode> untilEnd(EventReader channels) {
        List<JsonNode> events = new ArrayList<>();
        do {
            events.add(channels.next().orElseThrow().data());
        } while (!lifecycle(events.getLast()).matches("completed|failed|interrupted"));
        return events;
    }

    /** Returns the status of the run; empty for other events. */
    private static String lifecycle(JsonNode event) {
        return event.get("method").textValue().equals("lifecycle") ? event.at("/params/data/event").textValue() : "";
    }

    private static String id(JsonNode event) {
        return event.get("event_id").textValue();
    }

    /** Begins a run whose client is not ready. */
    private Run begin() throws IOException {
        CreateRunRequest body = mapper.readValue(Bodies.threads("hello"), CreateRunRequest.class);
        Assistant assistant = Assistant.of(assistants.require("threads"));
        UUID id = UUID.fromString(thread.id());
        Run run = lifecycle.register(new Run.Origin(lifecycle.newId(), assistant, "local", id), body);
        ThreadExecution execution = new ThreadExecution(run, OWNER, true, runs);
        run.executeBy(execution);
        NewRun stored = new NewRun(OWNER, id, run.id(), Kind.RUN, runs.replica(), assistant.id(), MultitaskStrategy.ENQUEUE,
                "{}", new StoredRequest("local", true, "threads", body, null).toBytes(mapper), null, null);
        Begun.Running begun = (Begun.Running) runs.begin(execution, () -> runs.begin(stored)).await().atMost(PATIENCE);
        fence = begun.fence();
        execution.begin(new Attempt(begun.fence(), begun.thread(), false, body));
        return run;
    }
}
