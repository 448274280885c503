package dev.waybill.runtime.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.protocol.Capabilities;
import dev.waybill.runtime.protocol.Message;
import dev.waybill.runtime.protocol.MessageWriter;
import dev.waybill.runtime.worker.RunSink.Outcome;
import dev.waybill.runtime.worker.WorkerRuns.WorkerRun;
import dev.waybill.runtime.worker.Workers.RunHandle;

/**
 * A worker process and its runs (docs/worker-protocol.md). Not restartable: when the process ends, the pool creates another
 * worker.
 */
final class Worker implements WorkerRequests.Connection {

    private static final Logger LOG = Logger.getLogger(Worker.class);
    /** Time within which a cancelled run must end; otherwise the worker receives no new runs and is replaced. */
    private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(3);

    private final String graph;
    private final WorkerConfig config;
    private final ScheduledExecutorService scheduler;
    private final Listener listener;
    private final WorkerProcess process;
    private final AtomicLong requests = new AtomicLong();
    private final Negotiation negotiation;
    private final WorkerRuns runs = new WorkerRuns();
    private final RunMessages messages;
    private final long initializeRequest = requests.incrementAndGet();
    private final PingMonitor pings;
    private volatile boolean ready;
    private volatile boolean wasReady;
    private volatile boolean retired;
    private volatile @Nullable String deathReason;
    private volatile @Nullable StartFailure startFailure;
    private final Path directory;
    private final long startedAt = System.nanoTime();

    /** Receives state changes of a worker. */
    interface Listener {

        /** The worker accepts runs. */
        void ready(Worker worker, JsonNode description);

        /** The worker accepts no more runs; active ones may continue. */
        void retired(Worker worker);

        /** A run has ended in the worker. */
        void served();

        /** The process has ended, and all its active runs have failed. */
        void ended(Worker worker, String reason);
    }

    /** @param workerRequests executes requests of the worker; null for version 1 of the protocol */
    Worker(String graph, WorkerCommand command, WorkerConfig config, ScheduledExecutorService scheduler, Listener listener,
            @Nullable WorkerRequests workerRequests) {
        this.graph = graph;
        this.config = config;
        this.scheduler = scheduler;
        this.listener = listener;
        this.negotiation = new Negotiation(graph, workerRequests);
        this.directory = command.directory();
        this.process = WorkerProcess.start(graph, command, config);
        this.messages = new RunMessages(graph, runs, this);
        this.pings = new PingMonitor(config, scheduler, requests, this::send,
                () -> kill("did not respond to a ping within " + config.pingTimeout()));
    }

    /** Starts reading from the process and sends {@code initialize}. */
    void initialize() {
        process.startThreads(this::handle, runs::flush, this::ended);
        send(negotiation.offer(initializeRequest, process.maxLineSize()));
        schedule(config.startTimeout(),
                () -> {
                    if (!ready) {
                        kill("did not respond to initialize within " + config.startTimeout());
                    }
                });
    }

    boolean acceptsRuns() {
        return ready && isUsable();
    }

    /** Returns whether the worker accepts runs or will accept them when it is ready. */
    boolean isUsable() {
        return !retired && deathReason == null;
    }

    boolean wasReady() {
        return wasReady;
    }

    /** Returns why the worker ended before it was ready; null otherwise. */
    @Nullable
    StartFailure startFailure() {
        return startFailure;
    }

    /** Returns the last lines of the worker's output. */
    List<String> logTail() {
        return process.logTail();
    }

    /** Returns the time since the start of the worker. */
    Duration age() {
        return Duration.ofNanos(System.nanoTime() - startedAt);
    }

    int load() {
        return runs.count();
    }

    long pid() {
        return process.pid();
    }

    RunHandle start(UUID id, ObjectNode request, RunSink sink) {
        WorkerRun run = new WorkerRun(id, config.initialCredit().asLongValue(),
                request.path(MessageWriter.STEPS).asLong() + RunMessages.MAX_UNSOLICITED_BYTES, sink, this);
        return start(run, number -> MessageWriter.start(number, id, graph, config.initialCredit().asLongValue(), request));
    }

    /** Sends a request for a thread's state; see {@link Workers#request}. */
    RunHandle request(UUID id, String method, ObjectNode params, RunSink sink) {
        return start(WorkerRun.stateRequest(id, sink, this),
                number -> MessageWriter.stateRequest(number, method, id, graph, params));
    }

    private RunHandle start(WorkerRun run, LongFunction<byte[]> line) {
        long number = requests.incrementAndGet();
        runs.add(number, run);
        send(line.apply(number));
        if (deathReason != null) {
            fail(run, diedMessage());
        }
        return run;
    }

    @Override
    public void send(byte[] line) {
        process.send(line);
    }

    @Override
    public Set<String> textTypes() {
        return negotiation.textTypes();
    }

    /** Returns what the worker reported; null until it is ready. */
    @Nullable
    Capabilities capabilities() {
        return negotiation.capabilities();
    }

    /** Ends the run for its client immediately, and requests its cancellation from the worker. */
    void cancel(WorkerRun run, Outcome outcome) {
        if (run.end(outcome)) {
            send(MessageWriter.cancel(run.id()));
            schedule(CANCEL_TIMEOUT, () -> retireIfRunning(run));
        }
    }

    CompletableFuture<Void> stop() {
        return process.stop(STOP_TIMEOUT);
    }

    private void retireIfRunning(WorkerRun run) {
        if (runs.has(run) && deathReason == null) {
            retire("still executes a run " + CANCEL_TIMEOUT + " after it was cancelled");
        }
    }

    private void handle(Message message) {
        switch (message) {
            case Message.Event event -> messages.event(event);
            case Message.OmittedEvent event -> messages.omitted(event);
            case Message.StepReport report -> messages.step(report);
            case Message.Call request -> messages.request(request, negotiation.requests());
            case Message.Result result -> result(result);
            case Message.Failure failure -> failure(failure);
            case Message.Invalid invalid -> messages.invalid(invalid);
            case Message.Print ignored -> messages.countUnsolicited(0);
            case Message.Unknown ignored -> messages.countUnsolicited(0);
        }
    }

    private void result(Message.Result result) {
        if (result.id() == initializeRequest) {
            ready(result.result());
        } else if (!pings.acknowledge(result.id())) {
            finished(result.id(), negotiation.requests() == null
                    ? new Outcome.Completed(result.result().path("values"))
                    : messages.completed(result));
        }
    }

    private void failure(Message.Failure failure) {
        if (failure.id() == initializeRequest) {
            startFailure = StartFailure.initializeFailed(graph, failure.error(), failure.message(), directory);
            kill("failed to initialize the graph: " + failure.message());
        } else if (!pings.acknowledge(failure.id())) {
            finished(failure.id(), messages.failed(failure));
        }
    }

    /** Ends the run that the request started, if there is one. */
    void finished(long request, Outcome outcome) {
        WorkerRun run = runs.removeByRequest(request);
        if (run != null) {
            run.release(outcome);
            listener.served();
            stopWhenIdle();
        }
    }

    private void ready(JsonNode description) {
        if (!negotiation.accept(description)) {
            kill("does not support version " + MessageWriter.PROTOCOL_VERSION + " of the worker protocol");
            return;
        }
        if (negotiation.requests() != null) {
            process.acceptRequests();
        }
        ready = true;
        wasReady = true;
        listener.ready(this, description.path("graphs").path(graph));
        pings.send();
    }

    private void retire(String reason) {
        if (!retired) {
            retired = true;
            LOG.warnf("replacing the worker of a graph: graph=%s pid=%s reason=%s", graph, pid(), reason);
            listener.retired(this);
        }
        stopWhenIdle();
    }

    /** Kills a retired worker when all its runs have ended, except those that it failed to cancel. */
    private void stopWhenIdle() {
        if (retired && runs.haveAllEnded()) {
            kill("was replaced");
        }
    }

    /** Kills the process; its active runs fail with the reason. */
    void kill(String reason) {
        // Only once: lines that it sent before are still read and may be further reasons.
        if (deathReason == null) {
            deathReason = reason;
            pings.end();
            process.kill();
        }
    }

    private void ended(int exit) {
        String killed = deathReason;
        String reason = killed == null ? "ended with exit code " + exit : killed + " and was stopped";
        deathReason = reason;
        ready = false;
        if (!wasReady && startFailure == null) {
            startFailure = killed == null ? StartFailure.exited(graph, exit) : StartFailure.stopped(graph, killed);
        }
        pings.end();
        runs.removeAll().forEach(run -> fail(run, diedMessage()));
        listener.ended(this, reason);
    }

    private void fail(WorkerRun run, String message) {
        run.release(new Outcome.Failed("WorkerDied", message));
        runs.remove(run);
    }

    private String diedMessage() {
        return "The worker of graph \"" + graph + "\" " + deathReason + " while the run was in progress.";
    }

    private void schedule(Duration delay, Runnable task) {
        scheduler.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
    }
}
