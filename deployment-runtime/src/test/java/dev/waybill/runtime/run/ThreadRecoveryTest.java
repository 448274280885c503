package dev.waybill.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.EventReader.Event;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;
import dev.waybill.runtime.assistant.Assistant;
import dev.waybill.runtime.assistant.AssistantCatalog;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.RunStorage.StoredRun;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.worker.Workers;
import io.restassured.response.Response;

/** Runs on threads whose worker or runtime was lost. */
@RuntimeTest
class ThreadRecoveryTest {

    private static final String GRAPH = "threads";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Inject
    Workers workers;

    @Inject
    ThreadRuns runs;

    @Inject
    ThreadRunService service;

    @Inject
    RunLifecycleService lifecycle;

    @Inject
    RuntimeStorage storage;

    @Inject
    AssistantCatalog assistants;

    @Inject
    ObjectMapper mapper;

    @Test
    void threadIsNotBusyAfterItsWorkerWasKilled() {
        ThreadCaller thread = ThreadCaller.create();
        try (EventReader stream = EventReader.streamOnThread(thread.id(), Bodies.threads("wait 60000"))) {
            awaitStep(stream);
            killWorkers();

            Event last = stream.rest().getLast();

            assertThat(last.name()).isEqualTo("error");
            assertThat(last.data().path("error").textValue()).isEqualTo("WorkerDied");
            assertThat(thread.status(stream.run())).isEqualTo("error");
        }
        assertThat(thread.status()).isEqualTo("error");
        thread.await(Bodies.threads("hello")).then().statusCode(200);
        assertThat(thread.status()).isEqualTo("idle");
    }

    @Test
    void backgroundRunContinuesAfterItsWorkerWasKilled() {
        ThreadCaller thread = ThreadCaller.create();
        String run = thread.start(Bodies.threads("wait 2000", "\"stream_resumable\": true"));
        thread.awaitBegin(run);

        killWorkers();

        thread.awaitStatus(run, "success");
        thread.read().then().body("status", equalTo("idle")).body("values.log.size()", equalTo(1))
                .body("values.messages.size()", equalTo(2));
        try (EventReader stream = EventReader.joinOnThread(thread.id(), run, "-1")) {
            assertThat(stream.rest()).filteredOn(event -> event.name().equals("metadata"))
                    .extracting(event -> event.data().path("attempt").intValue()).containsExactly(1, 2);
        }
    }

    @Test
    void attachedRunOfALostRuntimeFails() {
        ThreadCaller thread = ThreadCaller.create();
        UUID run = beginElsewhere(thread, false).run();
        assertThat(thread.status()).isEqualTo("busy");

        runs.recover();

        thread.awaitStatus("error");
        thread.get("/" + run).then().body("status", equalTo("error")).body("error.error", equalTo("RuntimeLost"));
    }

    @Test
    void backgroundRunOfALostRuntimeIsExecutedAgain() {
        ThreadCaller thread = ThreadCaller.create();
        UUID run = beginElsewhere(thread, true).run();

        runs.recover();

        thread.awaitStatus(run.toString(), "success");
        thread.read().then().body("status", equalTo("idle")).body("values.messages[1].content", equalTo("1: hello"));
    }

    @Test
    void joinWaitsForARunOfALostRuntime() {
        ThreadCaller thread = ThreadCaller.create();
        UUID run = beginElsewhere(thread, true).run();
        CompletableFuture<Response> joined = CompletableFuture.supplyAsync(() -> thread.get("/" + run + "/join"));

        runs.recover();

        joined.join().then().statusCode(200).body("messages[1].content", equalTo("1: hello"));
    }

    @Test
    void runThatCannotBeReadStopsNoOthers() {
        ThreadCaller unreadable = ThreadCaller.create();
        ThreadCaller thread = ThreadCaller.create();
        UUID lost = beginElsewhere(unreadable, "{".getBytes(StandardCharsets.UTF_8)).run();
        UUID run = beginElsewhere(thread, true).run();

        runs.recover();

        thread.awaitStatus(run.toString(), "success");
        unreadable.awaitStatus(lost.toString(), "error");
        assertThat(unreadable.status()).isEqualTo("error");
    }

    @Test
    void storedRequestMayBeAsDeepAsTheApiAccepts() throws JsonProcessingException {
        String json = "{\"assistant_id\": \"threads\", \"input\": %s%s}".formatted("[".repeat(199), "]".repeat(199));
        CreateRunRequest body = mapper.readValue(json, CreateRunRequest.class);

        byte[] stored = new StoredRequest("somebody", true, GRAPH, body, null).toBytes(mapper);

        assertThat(StoredRequest.parse(stored, mapper).body().input()).isEqualTo(body.input());
    }

    @Test
    void releasedRunStartsWithTheNextRuntime() {
        ThreadCaller thread = ThreadCaller.create();
        RunFence released = beginElsewhere(thread, true);
        storage.execute(opened -> opened.runs().release(released)).await().atMost(PATIENCE);

        runs.recover();

        thread.awaitStatus(released.run().toString(), "success");
    }

    @Test
    void executionOfADeletedRunEndsNoLaterOneWithItsId() throws IOException {
        ThreadCaller thread = ThreadCaller.create();
        Run executed = begin(thread);
        StoredRun deleted = find(thread, executed.id());
        rollBack(deleted);
        beginElsewhere(thread, executed.id(), deleted.request());

        runs.recover();

        Patience.await().until(() -> executed.status() == RunStatus.ERROR);
        assertThat(executed.response().error()).isEqualTo(RunError.LOST);
        StoredRun claimed = find(thread, executed.id());
        assertThat(claimed.status()).isEqualTo(Status.RUNNING);
        assertThat(claimed.replica()).isEqualTo(runs.replica());
        rollBack(claimed);
    }

    /** Begins a run whose client is not ready. */
    private Run begin(ThreadCaller thread) throws IOException {
        CreateRunRequest body = mapper.readValue(Bodies.threads("hello"), CreateRunRequest.class);
        Assistant assistant = Assistant.of(assistants.require(GRAPH));
        UUID id = UUID.fromString(thread.id());
        Run run = lifecycle.register(new Run.Origin(UUID.randomUUID(), assistant, "local", id), body);
        ThreadExecution execution = new ThreadExecution(run, new Owner("local"), true, runs);
        run.executeBy(execution);
        NewRun stored = new NewRun(new Owner("local"), id, run.id(), Kind.RUN, runs.replica(), assistant.id(),
                MultitaskStrategy.ENQUEUE, "{}", new StoredRequest("local", true, GRAPH, body, null).toBytes(mapper), null,
                null);
        Begun.Running begun = (Begun.Running) runs.begin(execution, () -> runs.begin(stored)).await().atMost(PATIENCE);
        execution.begin(new Attempt(begun.fence(), begun.thread(), false, body));
        return run;
    }

    private StoredRun find(ThreadCaller thread, UUID run) {
        return storage.execute(opened -> opened.runs().find(new Owner("local"), UUID.fromString(thread.id()), run))
                .await().atMost(PATIENCE).orElseThrow();
    }

    private void rollBack(StoredRun run) {
        storage.execute(opened -> opened.runs().end(RunFence.of(run), RunEnd.rolledBack())).await().atMost(PATIENCE);
    }

    @Test
    void runsWaitForThoseOfALostRuntime() {
        ThreadCaller thread = ThreadCaller.create();
        beginElsewhere(thread, false);
        String next = thread.start(Bodies.threads("next"));

        runs.recover();

        thread.awaitStatus(next, "success");
    }

    @ParameterizedTest
    @CsvSource({ "true,success", "false,interrupted" })
    void clientThatLeavesWhileItsRunIsStoredBlocksNoThread(boolean background, String status) throws IOException {
        String ended = startAndLeave(background);
        // A run that is stored before its client leaves succeeds.
        for (int i = 0; i < 20 && !ended.equals(status); i++) {
            ended = startAndLeave(background);
        }

        assertThat(ended).isEqualTo(status);
    }

    /** Returns the status of the run after its thread is idle again. */
    private String startAndLeave(boolean background) throws IOException {
        ThreadCaller thread = ThreadCaller.create();
        CallerThread caller = new CallerThread(new Owner("local"), "local", UUID.fromString(thread.id()));
        CreateThreadRunRequest request = mapper.readValue(Bodies.threads("hello"), CreateThreadRunRequest.class);
        ResolvedRun run = lifecycle.resolve(request.toRun(background), caller.owner()).await().atMost(PATIENCE);

        service.begin(caller, run, service.newIdentity()).subscribe().with(service::start).cancel();

        Patience.await().until(() -> !thread.get("").<List<Object>> path("").isEmpty());
        thread.awaitStatus("idle");
        return thread.get("").<List<String>> path("status").getFirst();
    }

    private RunFence beginElsewhere(ThreadCaller thread, boolean detached) {
        try {
            CreateRunRequest body = mapper.readValue(Bodies.threads("hello"), CreateRunRequest.class);
            return beginElsewhere(thread, new StoredRequest("somebody", detached, GRAPH, body, null).toBytes(mapper));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stores a run as another replica does, which has no lease. */
    private RunFence beginElsewhere(ThreadCaller thread, byte[] request) {
        return beginElsewhere(thread, UUID.randomUUID(), request);
    }

    private RunFence beginElsewhere(ThreadCaller thread, UUID id, byte[] request) {
        NewRun stored = new NewRun(new Owner("local"), UUID.fromString(thread.id()), id, Kind.RUN,
                UUID.randomUUID(), assistants.require(GRAPH).id(), MultitaskStrategy.ENQUEUE, "{}", request, null, null);
        Begun begun = storage.execute(opened -> opened.runs().begin(stored)).await().atMost(PATIENCE);
        return ((Begun.Running) begun).fence();
    }

    private void killWorkers() {
        workers.pids(GRAPH).forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }

    private static void awaitStep(EventReader stream) {
        while (stream.next().orElseThrow().data().path("log").isEmpty()) {
            // Values before the first step.
        }
    }
}
