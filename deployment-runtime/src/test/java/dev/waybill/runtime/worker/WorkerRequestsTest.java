package dev.waybill.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.application.Application;
import dev.waybill.common.application.ApplicationFile;
import dev.waybill.runtime.Settings;
import dev.waybill.runtime.checkpoint.CheckpointRequests;
import dev.waybill.runtime.checkpoint.RecordingHandler;
import dev.waybill.runtime.protocol.Capabilities;
import dev.waybill.runtime.protocol.Capabilities.Memory;
import dev.waybill.runtime.worker.RunSink.Outcome;
import dev.waybill.runtime.worker.Workers.RunHandle;

/** Requests of a real worker process, from its line to the handler and back. */
class WorkerRequestsTest {

    private static final int LINE = 4 << 20;

    @TempDir
    private Path directory;

    private final Map<UUID, RecordingHandler> handlers = new ConcurrentHashMap<>();
    private final List<Workers> started = new ArrayList<>();

    @AfterEach
    void stopWorkers() {
        started.forEach(Workers::stop);
        handlers.values().forEach(RecordingHandler::close);
    }

    @Test
    void storedCheckpointIsReturnedWithItsWrites() throws Exception {
        Workers workers = workers("RequestingWorker", requests());

        JsonNode tuple = values(start(workers, "remember"));

        assertThat(tuple.at("/blobs/0").toString()).isEqualTo("[\"messages\",\"1\",\"json\",\"[\\\"hello\\\"]\"]");
        assertThat(tuple.at("/writes/0").toString()).isEqualTo("[\"t\",0,\"c\",\"json\",\"1\"]");
        assertThat(tuple.at("/metadata/step").intValue()).isEqualTo(1);
        assertThat(workers.capabilities("agent")).hasValueSatisfying(reported -> {
            assertThat(reported.version()).isEqualTo(Capabilities.WITH_REQUESTS);
            assertThat(reported.memory()).isEqualTo(Memory.CHECKPOINTS);
            assertThat(reported.usesStore()).isTrue();
        });
    }

    @Test
    void writesOfConcurrentRunsAreOrderedPerRun() throws Exception {
        Workers workers = workers("RequestingWorker", requests());
        List<CompletableFuture<Outcome>> runs = IntStream.range(0, 8).mapToObj(i -> start(workers, "order")).toList();
        for (CompletableFuture<Outcome> run : runs) {
            assertThat(values(run).textValue()).isEqualTo("ordered");
        }

        assertThat(handlers.values()).hasSize(8).allSatisfy(handler -> assertThat(handler.calls())
                .extracting(call -> Integer.parseInt(call.substring(call.lastIndexOf('-') + 1)))
                .isEqualTo(IntStream.range(0, 100).boxed().toList()));
    }

    @Test
    void valueAboveLineIsStored() throws Exception {
        assertThat(values(start(workers("RequestingWorker", requests()), "large")).toString()).isEqualTo("{}");
        assertThat(handlers.values()).singleElement().satisfies(handler -> assertThat(handler.calls()).hasSize(1));
    }

    @Test
    void lastCheckpointsPrecedeTheResult() throws Exception {
        assertThat(values(start(workers("RequestingWorker", requests()), "last")).textValue()).isEqualTo("done");
        assertThat(handlers.values()).singleElement()
                .satisfies(handler -> assertThat(handler.calls()).containsExactly("last 1"));
    }

    @Test
    void resultInPartsEndsTheRun() throws Exception {
        assertThat(values(start(workers("RequestingWorker", requests()), "large-result")).textValue()).hasSize(3 << 20);
    }

    @Test
    void failedRunWhoseLastCheckpointsAreRefusedHasNoState() throws Exception {
        Recorder run = new Recorder();
        start(workers("RequestingWorker", requests()), "failed-last", run);

        assertThat(run.released.get(2, TimeUnit.MINUTES)).isEqualTo(new Outcome.Failed("RunFailed", "failed"));
    }

    @Test
    void stateIsPartOfTheOutcome() throws Exception {
        Recorder run = new Recorder();
        start(workers("RequestingWorker", requests()), "state", run);

        assertThat(run.released.get(2, TimeUnit.MINUTES)).isInstanceOfSatisfying(Outcome.Completed.class,
                completed -> assertThat(completed.state()).hasToString("{\"next\":[]}"));
        assertThat(run.ended).isCompleted();
    }

    @Test
    void cancelledRunIsReleasedWhenTheWorkerHasResponded() throws Exception {
        Workers workers = workers("RequestingWorker", requests());
        values(start(workers, "echo"));
        Recorder run = new Recorder();

        start(workers, "stay", run).cancel();

        assertThat(run.ended.get(2, TimeUnit.MINUTES)).isEqualTo(new Outcome.Cancelled());
        assertThat(run.released.get(2, TimeUnit.MINUTES)).isInstanceOfSatisfying(Outcome.Cancelled.class,
                cancelled -> assertThat(cancelled.state()).hasToString("{\"next\":[\"approve\"]}"));
    }

    @Test
    void runIsReleasedOnceIfTheWorkerDies() throws Exception {
        Workers workers = workers("RequestingWorker", requests());
        values(start(workers, "echo"));
        Recorder run = new Recorder();
        start(workers, "stay", run);

        workers.pids("agent").forEach(pid -> ProcessHandle.of(pid).orElseThrow().destroyForcibly());

        assertThat(run.released.get(2, TimeUnit.MINUTES)).isInstanceOfSatisfying(Outcome.Failed.class,
                failed -> assertThat(failed.error()).isEqualTo("WorkerDied"));
        assertThat(run.releases).hasValue(1);
    }

    @Test
    void stateRequestMayReadCheckpoints() throws Exception {
        Workers workers = workers("RequestingWorker", requests());
        Recorder state = new Recorder();

        workers.request(UUID.randomUUID(), "agent", "thread/state", JsonNodeFactory.instance.objectNode(), state);

        assertThat(values(state.released)).hasToString("{\"values\":{},\"next\":[],\"found\":false}");
    }

    @ParameterizedTest
    @CsvSource({ "broken", "too-long", "flood", "incomplete-result", "broken-last", "large-last" })
    void violationFailsOnlyItsRun(String violation) throws Exception {
        Workers workers = workers("RequestingWorker", requests());
        assertThat(values(start(workers, "echo")).textValue()).isEqualTo("echo");
        List<Long> before = workers.pids("agent");
        Recorder run = new Recorder();

        start(workers, violation, run);

        assertThat(run.released.get(2, TimeUnit.MINUTES)).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.error()).isEqualTo("ProtocolViolation");
            assertThat(failed.state()).isNull();
        });
        assertThat(values(start(workers, "remember")).has("id")).isTrue();
        assertThat(workers.pids("agent")).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({ "foreign, -32001", "unknown, -32601" })
    void rejectedRequestGetsErrorCode(String what, int code) throws Exception {
        assertThat(values(start(workers("RequestingWorker", requests()), what)).intValue()).isEqualTo(code);
    }

    @Test
    void runWithoutHandlerOnlySendsItsResultInParts() throws Exception {
        Workers workers = workers("RequestingWorker", new CheckpointRequests(run -> Optional.empty(), LINE));

        assertThat(values(start(workers, "read")).intValue()).isEqualTo(-32001);
        assertThat(values(start(workers, "large-result")).textValue()).hasSize(3 << 20);
    }

    @ParameterizedTest
    @CsvSource({ "FaultyWorker, true", "RequestingWorker, false" })
    void version1IsSpokenIfOneSideHasNoOther(String worker, boolean offered) throws Exception {
        Workers workers = workers(worker, offered ? requests() : null);

        assertThat(start(workers, "print").get(2, TimeUnit.MINUTES)).isInstanceOf(Outcome.Completed.class);
        assertThat(workers.capabilities("agent")).hasValueSatisfying(reported -> {
            assertThat(reported.version()).isEqualTo(1);
            assertThat(reported.memory()).isEqualTo(Memory.STATE);
        });
    }

    private CheckpointRequests requests() {
        return new CheckpointRequests(run -> Optional.of(handlers.computeIfAbsent(run, id -> new RecordingHandler())), LINE);
    }

    private Workers workers(String program, @Nullable WorkerRequests requests) throws Exception {
        Files.writeString(directory.resolve("langgraph.json"), """
                {"graphs": {"agent": {"command": ["%s/bin/java", "-XX:TieredStopAtLevel=1", "-cp",
                 "%s/deployment-runtime/target/test-classes", "dev.waybill.runtime.%s"]}}}"""
                .formatted(System.getProperty("java.home"), System.getProperty("waybill.root"), program));
        Application application = ApplicationFile.read(directory, "langgraph.json");
        Workers workers = new Workers(application, Settings.of(WorkerConfig.class, Map.of()), new Shims(application), () -> {
        }, requests);
        started.add(workers);
        workers.begin(null);
        return workers;
    }

    private static JsonNode values(CompletableFuture<Outcome> run) throws Exception {
        Outcome outcome = run.get(2, TimeUnit.MINUTES);
        assertThat(outcome).isInstanceOf(Outcome.Completed.class);
        return ((Outcome.Completed) outcome).values();
    }

    private static CompletableFuture<Outcome> start(Workers workers, String what) {
        Recorder run = new Recorder();
        start(workers, what, run);
        return run.ended;
    }

    private static RunHandle start(Workers workers, String what, RunSink sink) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.putObject("input").put("do", what);
        return workers.start(UUID.randomUUID(), "agent", request, sink);
    }

    /** Records the end of a run. */
    private static final class Recorder implements RunSink {

        private final CompletableFuture<Outcome> ended = new CompletableFuture<>();
        private final CompletableFuture<Outcome> released = new CompletableFuture<>();
        private final AtomicInteger releases = new AtomicInteger();

        @Override
        public void event(String mode, String namespace, byte[] json, int cost) {
            // None are expected.
        }

        @Override
        public void ended(Outcome outcome) {
            ended.complete(outcome);
        }

        @Override
        public void released(Outcome outcome) {
            releases.incrementAndGet();
            released.complete(outcome);
        }
    }
}
