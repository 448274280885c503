package dev.waybill.runtime.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.protocol.Message;
import dev.waybill.runtime.protocol.MessageWriter;

/**
 * One worker process and the runs in it (docs/worker-protocol.md). It ends for good when its process does; the pool starts
 * another.
 */
final class Worker {

    /** The error code of a run that its worker ended because it was asked to. */
    private static final int CANCELLED = -32800;
    private static final Logger LOG = Logger.getLogger(Worker.class);

    private final String graph;
    private final WorkerConfig config;
    private final ScheduledExecutorService clock;
    private final Listener listener;
    private final WorkerProcess process;
    private final AtomicLong requests = new AtomicLong();
    private final WorkerRuns runs = new WorkerRuns();
    private final long initialize = requests.incrementAndGet();
    private final Pings pings;
    private volatile boolean ready;
    private volatile boolean wasReady;
    private volatile boolean retired;
    private volatile @Nullable String deathReason;
    private volatile @Nullable StartFailure startFailure;
    private final Path directory;
    private final long begun = System.nanoTime();
    private long unasked;

    /** What the pool hears of its worker. */
    interface Listener {

        /** It can take runs now. */
        void ready(Worker worker, JsonNode description);

        /** It takes no more runs, though it may still be working on some. */
        void retired(Worker worker);

        /** A run has come to an end in it. */
        void served(Worker worker);

        /** Its process is gone, and every run in it failed. */
        void ended(Worker worker, String reason);
    }

    Worker(String graph, WorkerCommand command, WorkerConfig config, ScheduledExecutorService clock, Listener listener) {
        this.graph = graph;
        this.config = config;
        this.clock = clock;
        this.listener = listener;
        this.directory = command.directory();
        this.process = WorkerProcess.start(graph, command);
        this.pings = new Pings(config, clock, requests, this::send,
                () -> kill("did not answer a ping within " + config.pingTimeout()));
    }

    /** Starts to talk to it. */
    void begin() {
        process.pump(longestLine(), this::message, runs::caughtUp, this::ended);
        send(MessageWriter.initialize(initialize, graph, longestLine()));
        after(config.startTimeout(), () -> killUnless(ready, "did not answer initialize within " + config.startTimeout()));
    }

    boolean takesRuns() {
        return ready && mayServe();
    }

    /** Whether it takes runs or will. */
    boolean mayServe() {
        return !retired && deathReason == null;
    }

    boolean wasReady() {
        return wasReady;
    }

    /** Returns why it ended before it was ready; null while it has not. */
    @Nullable
    StartFailure startFailure() {
        return startFailure;
    }

    /** Returns the last lines of its output. */
    List<String> lastLines() {
        return process.lastLines();
    }

    /** Returns how long ago it was started. */
    Duration age() {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    int load() {
        return runs.count();
    }

    long pid() {
        return process.pid();
    }

    RunHandle start(UUID id, ObjectNode request, RunSink sink) {
        WorkerRun run = new WorkerRun(id, config.credit().asLongValue(),
                request.path(MessageWriter.STEPS).asLong() + config.unasked().asLongValue(), sink, this);
        long number = requests.incrementAndGet();
        runs.add(number, run);
        send(MessageWriter.start(number, id, graph, config.credit().asLongValue(), request));
        if (deathReason != null) {
            fail(run, diedMessage());
        }
        return run;
    }

    void send(byte[] line) {
        process.send(line);
    }

    /** Ends the run for its caller at once, and in the worker as soon as it will. */
    void cancel(WorkerRun run, Outcome outcome) {
        if (run.end(outcome)) {
            send(MessageWriter.cancel(run.id()));
            after(config.cancelTimeout(), () -> retireIfStillThere(run));
        }
    }

    CompletableFuture<Void> stop() {
        return process.stop(config.stopTimeout());
    }

    private void retireIfStillThere(WorkerRun run) {
        if (runs.has(run) && deathReason == null) {
            retire("still works on a run " + config.cancelTimeout() + " after it was cancelled");
        }
    }

    private void message(Message message) {
        switch (message) {
            case Message.Event event -> event(event);
            case Message.Told told -> step(told);
            case Message.Result result -> result(result);
            case Message.Failure failure -> failure(failure);
            case Message.Broken broken -> broken(broken);
            case Message.Print ignored -> unasked(0);
            case Message.Unknown ignored -> unasked(0);
        }
    }

    private void event(Message.Event event) {
        WorkerRun run = runs.findGoingOn(event.run());
        if (run == null) {
            unasked(event.cost());
        } else if (run.event(event)) {
            runs.heardOf(run);
        } else {
            cancel(run, new Outcome.Failed("ProtocolViolation",
                    "The worker of graph \"" + graph + "\" sent more events than the run had credit for."));
            unasked(event.cost());
        }
    }

    private void step(Message.Told told) {
        WorkerRun run = runs.findGoingOn(told.run());
        if (run == null) {
            unasked(told.step().cost());
        } else if (!run.step(told.step())) {
            cancel(run, new Outcome.Failed("ProtocolViolation",
                    "The worker of graph \"" + graph + "\" flooded the runtime with steps of the run."));
        }
    }

    private void result(Message.Result result) {
        if (result.id() == initialize) {
            ready(result.result());
        } else if (!pings.answered(result.id())) {
            finished(result.id(), new Outcome.Completed(result.result().path("values")));
        }
    }

    private void failure(Message.Failure failure) {
        if (failure.id() == initialize) {
            startFailure = StartFailure.refused(graph, failure.error(), failure.message(), directory);
            kill("refused to serve the graph: " + failure.message());
        } else if (!pings.answered(failure.id())) {
            finished(failure.id(), failure.code() == CANCELLED
                    ? new Outcome.Cancelled()
                    : new Outcome.Failed(failure.error() == null ? "RunFailed" : failure.error(), failure.message()));
        }
    }

    private void finished(long request, Outcome outcome) {
        WorkerRun run = runs.answered(request);
        if (run != null) {
            run.end(outcome);
            listener.served(this);
            stopWhenIdle();
        }
    }

    private void ready(JsonNode description) {
        if (description.path("protocol_version").asInt() != MessageWriter.PROTOCOL_VERSION) {
            kill("does not speak version " + MessageWriter.PROTOCOL_VERSION + " of the worker protocol");
            return;
        }
        ready = true;
        wasReady = true;
        listener.ready(this, description.path("graphs").path(graph));
        pings.begin();
    }

    /** When it cannot be told whose message was lost, any run may miss an event: then none of them can go on. */
    private void broken(Message.Broken broken) {
        LOG.warnf("the worker of a graph sent what is no message: graph=%s reason=%s", graph, broken.reason());
        Outcome violation = new Outcome.Failed("ProtocolViolation",
                "The worker of graph \"" + graph + "\" sent " + broken.reason() + ".");
        Long request = broken.id();
        UUID id = broken.run();
        if (id != null) {
            WorkerRun run = runs.find(id);
            if (run != null) {
                cancel(run, violation);
            }
        } else if (request != null && runs.isOpen(request)) {
            finished(request, violation);
        } else {
            kill("sent " + broken.reason());
        }
    }

    private void unasked(int bytes) {
        unasked += bytes;
        if (unasked > config.unasked().asLongValue()) {
            kill("went on sending events for runs that had ended");
        }
    }

    private void retire(String reason) {
        if (!retired) {
            retired = true;
            LOG.warnf("the worker of a graph is replaced: graph=%s pid=%d reason=%s", graph, pid(), reason);
            listener.retired(this);
        }
        stopWhenIdle();
    }

    /** A retired worker goes when nothing but what it would not end is left in it. */
    private void stopWhenIdle() {
        if (retired && runs.haveAllEnded()) {
            kill("was replaced");
        }
    }

    private void killUnless(boolean fine, String reason) {
        if (!fine) {
            kill(reason);
        }
    }

    private void kill(String reason) {
        // Once: what it had sent before is still read, and gives reason to kill it with every line.
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
        run.end(new Outcome.Failed("WorkerDied", message));
        runs.remove(run);
    }

    private String diedMessage() {
        return "The worker of graph \"" + graph + "\" " + deathReason + " while the run was under way.";
    }

    private int longestLine() {
        return (int) Math.min(Integer.MAX_VALUE - 16, config.longestLine().asLongValue());
    }

    private void after(Duration pause, Runnable task) {
        clock.schedule(task, pause.toMillis(), TimeUnit.MILLISECONDS);
    }
}
