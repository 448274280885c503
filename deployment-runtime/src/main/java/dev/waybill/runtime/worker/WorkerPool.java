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
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The workers of one graph: so many at a time, started again when they end, with growing pauses while they end without having
 * served. Runs that come while none is ready wait for one.
 */
final class WorkerPool implements Worker.Listener {

    private static final Logger LOG = Logger.getLogger(WorkerPool.class);
    private static final int MAX_CRASHES = 3;
    private static final Duration SOON = Duration.ofSeconds(10);

    private final String graph;
    private final WorkerConfig config;
    private final Supplier<WorkerCommand> command;
    private final ScheduledExecutorService clock;
    private final Pauses pauses;
    private final StartFailureReporter reporter;
    private final Path directory;
    private final List<Worker> workers = new ArrayList<>();
    private final Deque<WaitingRun> waiting = new ArrayDeque<>();
    private @Nullable JsonNode description;
    private boolean stopped;
    private boolean hasServed;
    private int crashes;

    WorkerPool(String graph, WorkerConfig config, Supplier<WorkerCommand> command, ScheduledExecutorService clock,
            StartFailureReporter reporter, Path directory) {
        this.reporter = reporter;
        this.directory = directory;
        this.graph = graph;
        this.config = config;
        this.command = command;
        this.clock = clock;
        this.pauses = new Pauses(config.firstPause(), config.longestPause());
    }

    void begin() {
        for (int i = 0; i < config.processes(); i++) {
            clock.execute(this::launch);
        }
    }

    /** Gives the run to the worker with the fewest, or lets it wait for one. */
    RunHandle start(WaitingRun run) {
        Optional<Worker> free;
        synchronized (this) {
            free = leastBusy();
            if (free.isEmpty()) {
                if (stopped) {
                    run.fail("WorkerUnavailable", "The runtime is being stopped.");
                } else {
                    waiting.add(run);
                }
            }
        }
        free.ifPresent(run::startIn);
        return run;
    }

    /** Forgets a run that waits and is not to be started any more. */
    synchronized void forget(WaitingRun run) {
        waiting.remove(run);
    }

    /** What a worker said of the graph: its schemas; empty before the first was ready. */
    synchronized Optional<JsonNode> description() {
        return Optional.ofNullable(description);
    }

    synchronized boolean isReady() {
        return !stopped && leastBusy().isPresent();
    }

    /** The process ids of those that live; for whoever wants to look after them, or to kill them. */
    synchronized List<Long> pids() {
        return workers.stream().map(Worker::pid).toList();
    }

    /** Lets its workers go; done when they have. */
    CompletableFuture<Void> stop() {
        List<Worker> left;
        synchronized (this) {
            stopped = true;
            left = List.copyOf(workers);
        }
        return CompletableFuture.allOf(left.stream().map(Worker::stop).toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public void ready(Worker worker, JsonNode said) {
        List<WaitingRun> startable;
        synchronized (this) {
            description = said;
            startable = List.copyOf(waiting);
            waiting.clear();
        }
        LOG.infof("a worker is ready: graph=%s pid=%d", graph, worker.pid());
        startable.forEach(this::start);
    }

    @Override
    public void served(Worker worker) {
        pauses.served();
        synchronized (this) {
            hasServed = true;
        }
    }

    @Override
    public void retired(Worker worker) {
        clock.execute(this::launch);
    }

    @Override
    public void ended(Worker worker, String reason) {
        boolean again;
        synchronized (this) {
            again = workers.remove(worker) && !stopped
                    && workers.stream().filter(Worker::mayServe).count() < config.processes();
        }
        if (again) {
            Duration pause = pauses.next();
            LOG.warnf("the worker of a graph %s; another is started: graph=%s in=%s", reason, graph, pause);
            failureOf(worker).ifPresent(failure -> reporter.report(failure, worker.lastLines()));
            if (!worker.wasReady()) {
                failWaiting("The worker of graph \"" + graph + "\" does not start: it " + reason + ".");
            }
            clock.schedule(this::launch, pause.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    // A graph that has served is left to the pauses: others of the application may be serving.
    private synchronized Optional<StartFailure> failureOf(Worker worker) {
        if (hasServed) {
            return Optional.empty();
        }
        if (!worker.wasReady()) {
            return description == null ? Optional.ofNullable(worker.startFailure()) : Optional.empty();
        }
        crashes = worker.age().compareTo(SOON) < 0 ? crashes + 1 : 0;
        return crashes >= MAX_CRASHES ? Optional.of(StartFailure.crashing(graph, crashes)) : Optional.empty();
    }

    private void launch() {
        try {
            Worker worker;
            synchronized (this) {
                if (stopped || workers.stream().filter(Worker::mayServe).count() >= config.processes()) {
                    return;
                }
                worker = new Worker(graph, command.get(), config, clock, this);
                workers.add(worker);
            }
            worker.begin();
        } catch (WorkerException e) {
            Duration pause = pauses.next();
            LOG.errorf("the worker of a graph cannot be started: graph=%s reason=%s again_in=%s", graph, e.getMessage(), pause);
            failWaiting("The worker of graph \"" + graph + "\" cannot be started: " + e.getMessage() + ".");
            if (description().isEmpty()) {
                reporter.report(StartFailure.noProgram(graph, String.valueOf(e.getMessage()), directory), List.of());
            }
            clock.schedule(this::launch, pause.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void failWaiting(String message) {
        List<WaitingRun> failed;
        synchronized (this) {
            failed = List.copyOf(waiting);
            waiting.clear();
        }
        failed.forEach(run -> run.fail("WorkerUnavailable", message));
    }

    private Optional<Worker> leastBusy() {
        return workers.stream().filter(Worker::takesRuns).min(Comparator.comparingInt(Worker::load));
    }
}
