package dev.waybill.runtime.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.limit.Backoff;
import dev.waybill.runtime.protocol.Capabilities;
import dev.waybill.runtime.worker.StartFailure.StartFailureReporter;
import dev.waybill.runtime.worker.Workers.RunHandle;

/**
 * The workers of one graph: a fixed number of processes, restarted when they end, with backoff while they end without having
 * served a
 * run. Runs wait while no worker is ready.
 */
final class WorkerPool implements Worker.Listener {

    private static final Logger LOG = Logger.getLogger(WorkerPool.class);
    private static final int MAX_CRASHES = 3;
    private static final Duration MIN_UPTIME = Duration.ofSeconds(10);
    private static final Duration INITIAL_BACKOFF = Duration.ofMillis(200);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(30);

    private final String graph;
    private final WorkerConfig config;
    private final Supplier<WorkerCommand> command;
    private final ScheduledExecutorService scheduler;
    private final Backoff backoff;
    // Failures since a worker served a run.
    private final AtomicInteger failures = new AtomicInteger();
    private final StartFailureReporter reporter;
    private final Path directory;
    private final @Nullable WorkerRequests requests;
    private final List<Worker> workers = new ArrayList<>();
    private final Deque<PendingRun> pending = new ArrayDeque<>();
    private @Nullable JsonNode description;
    private @Nullable Capabilities capabilities;
    // Completes with the first ready worker; replaced when a start fails before.
    private CompletableFuture<Capabilities> start = new CompletableFuture<>();
    private boolean stopped;
    private boolean hasServed;
    private int crashes;

    /** Creates a pool whose workers have version 1 of the protocol. */
    WorkerPool(String graph, WorkerConfig config, Supplier<WorkerCommand> command, ScheduledExecutorService scheduler,
            StartFailureReporter reporter, Path directory) {
        this(graph, config, command, scheduler, reporter, directory, null);
    }

    /** @param requests executes requests of workers; null for version 1 of the protocol */
    WorkerPool(String graph, WorkerConfig config, Supplier<WorkerCommand> command, ScheduledExecutorService scheduler,
            StartFailureReporter reporter, Path directory, @Nullable WorkerRequests requests) {
        this.requests = requests;
        this.reporter = reporter;
        this.directory = directory;
        this.graph = graph;
        this.config = config;
        this.command = command;
        this.scheduler = scheduler;
        this.backoff = new Backoff(INITIAL_BACKOFF, MAX_BACKOFF);
    }

    void start() {
        for (int i = 0; i < config.processes(); i++) {
            scheduler.execute(this::launch);
        }
    }

    /** Starts the run in the worker with the fewest runs, or queues it until a worker is ready. */
    RunHandle start(PendingRun run) {
        Optional<Worker> free;
        synchronized (this) {
            free = leastBusy();
            if (free.isEmpty()) {
                if (stopped) {
                    run.fail("WorkerUnavailable", "The runtime is shutting down.");
                } else {
                    pending.add(run);
                }
            }
        }
        free.ifPresent(run::startIn);
        return run;
    }

    /** Removes a queued run. */
    synchronized void remove(PendingRun run) {
        pending.remove(run);
    }

    /** Returns the graph's description with its schemas; empty until a worker was ready. */
    synchronized Optional<JsonNode> description() {
        return Optional.ofNullable(description);
    }

    /** Returns what the graph's newest ready worker reported; empty until a worker was ready. */
    synchronized Optional<Capabilities> capabilities() {
        return Optional.ofNullable(capabilities);
    }

    /** Completes when a worker was ready; fails with the next start that fails before. */
    synchronized CompletionStage<Capabilities> started() {
        return start.copy();
    }

    synchronized boolean isReady() {
        return !stopped && leastBusy().isPresent();
    }

    /** Returns the process ids of the workers. */
    synchronized List<Long> pids() {
        return workers.stream().map(Worker::pid).toList();
    }

    /** Stops all workers; completes when their processes have ended. */
    CompletableFuture<Void> stop() {
        List<Worker> remaining;
        synchronized (this) {
            stopped = true;
            remaining = List.copyOf(workers);
        }
        return CompletableFuture.allOf(remaining.stream().map(Worker::stop).toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public void ready(Worker worker, JsonNode reported) {
        List<PendingRun> startable;
        CompletableFuture<Capabilities> waiting;
        Capabilities known = worker.capabilities();
        synchronized (this) {
            description = reported;
            capabilities = known;
            waiting = start;
            startable = List.copyOf(pending);
            pending.clear();
        }
        LOG.infof("worker is ready: graph=%s pid=%s", graph, worker.pid());
        startable.forEach(this::start);
        waiting.complete(known);
    }

    @Override
    public void served() {
        failures.set(0);
        synchronized (this) {
            hasServed = true;
        }
    }

    @Override
    public void retired(Worker worker) {
        scheduler.execute(this::launch);
    }

    @Override
    public void ended(Worker worker, String reason) {
        boolean restart;
        synchronized (this) {
            restart = workers.remove(worker) && !stopped
                    && workers.stream().filter(Worker::isUsable).count() < config.processes();
        }
        if (restart) {
            Duration delay = backoff.delay(failures.incrementAndGet());
            LOG.warnf("restarting the worker of a graph, which %s: graph=%s in=%s", reason, graph, delay);
            failureOf(worker).ifPresent(failure -> reporter.report(failure, worker.logTail()));
            if (!worker.wasReady()) {
                failPending("The worker of graph \"" + graph + "\" does not start: it " + reason + ".");
            }
            scheduler.schedule(this::launch, delay.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    // A graph that has served runs is restarted with backoff instead: other graphs of the application may be serving.
    private synchronized Optional<StartFailure> failureOf(Worker worker) {
        if (hasServed) {
            return Optional.empty();
        }
        if (!worker.wasReady()) {
            return description == null ? Optional.ofNullable(worker.startFailure()) : Optional.empty();
        }
        crashes = worker.age().compareTo(MIN_UPTIME) < 0 ? crashes + 1 : 0;
        return crashes >= MAX_CRASHES ? Optional.of(StartFailure.crashing(graph, crashes)) : Optional.empty();
    }

    private void launch() {
        try {
            Worker worker;
            synchronized (this) {
                if (stopped || workers.stream().filter(Worker::isUsable).count() >= config.processes()) {
                    return;
                }
                worker = new Worker(graph, command.get(), config, scheduler, this, requests);
                workers.add(worker);
            }
            worker.initialize();
        } catch (WorkerException e) {
            Duration delay = backoff.delay(failures.incrementAndGet());
            LOG.errorf("cannot start the worker of a graph: graph=%s reason=%s retry_in=%s", graph, e.getMessage(), delay);
            failPending("The worker of graph \"" + graph + "\" cannot be started: " + e.getMessage() + ".");
            if (description().isEmpty()) {
                reporter.report(StartFailure.noProgram(graph, String.valueOf(e.getMessage()), directory), List.of());
            }
            scheduler.schedule(this::launch, delay.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void failPending(String message) {
        List<PendingRun> failed;
        CompletableFuture<Capabilities> waiting;
        synchronized (this) {
            failed = List.copyOf(pending);
            pending.clear();
            waiting = start;
            start = waiting.isDone() ? waiting : new CompletableFuture<>();
        }
        failed.forEach(run -> run.fail("WorkerUnavailable", message));
        waiting.completeExceptionally(new WorkerException(message));
    }

    private Optional<Worker> leastBusy() {
        return workers.stream().filter(Worker::acceptsRuns).min(Comparator.comparingInt(Worker::load));
    }
}
