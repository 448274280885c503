package dev.waybill.runtime.worker;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.application.Application;
import dev.waybill.common.application.Graph;
import dev.waybill.runtime.protocol.Capabilities;
import dev.waybill.runtime.worker.StartFailure.StartFailureReporter;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.StartupEvent;

/** The workers of all graphs of the application. */
@Singleton
public class Workers {

    private final Map<String, WorkerPool> pools = new TreeMap<>();
    private final ScheduledExecutorService scheduler;

    @Inject
    Workers(Application application, WorkerConfig config, Shims shims, Instance<WorkerRequests> requests) {
        this(application, config, shims, () -> Quarkus.asyncExit(StartFailureReporter.EXIT_CODE),
                requests.isResolvable() ? requests.get() : null);
    }

    /** Creates workers of version 1 of the protocol. */
    Workers(Application application, WorkerConfig config, Shims shims) {
        this(application, config, shims, () -> Quarkus.asyncExit(StartFailureReporter.EXIT_CODE));
    }

    /** @param exit ends the runtime */
    Workers(Application application, WorkerConfig config, Shims shims, Runnable exit) {
        this(application, config, shims, exit, null);
    }

    /**
     * Creates workers.
     *
     * @param exit ends the runtime
     * @param requests executes requests of workers; null for version 1 of the protocol
     */
    Workers(Application application, WorkerConfig config, Shims shims, Runnable exit, @Nullable WorkerRequests requests) {
        StartFailureReporter reporter = new StartFailureReporter(config.failureFile(), exit);
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1,
                Thread.ofPlatform().daemon().name("worker-scheduler").factory());
        // Scheduled tasks are irrelevant after the runtime has stopped.
        executor.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        this.scheduler = executor;
        for (Graph graph : application.graphs()) {
            pools.put(graph.id(), new WorkerPool(graph.id(), config,
                    () -> WorkerCommand.of(application, graph, System.getenv(), shims), scheduler, reporter,
                    application.directory(), requests));
        }
    }

    void begin(@Observes StartupEvent starting) {
        pools.values().forEach(WorkerPool::start);
    }

    /**
     * Starts a run.
     *
     * @param request parameters for the worker (docs/worker-protocol.md, {@code run/start})
     * @param sink receives all events of the run, including its end
     */
    public RunHandle start(UUID run, String graph, ObjectNode request, RunSink sink) {
        WorkerPool pool = pool(graph);
        return pool.start(new PendingRun(run, request, sink, pool));
    }

    /**
     * Sends a request for the state of a thread (docs/worker-protocol-threads.md); its worker has version 2 of the protocol.
     *
     * @param id id under which the worker may send requests until it has responded
     * @param sink receives the result as the values of its outcome
     */
    public RunHandle request(UUID id, String graph, String method, ObjectNode params, RunSink sink) {
        WorkerPool pool = pool(graph);
        return pool.start(new PendingRun(id, method, params, sink, pool));
    }

    /** Returns the description that the graph's worker reported; empty until it was ready. */
    public Optional<JsonNode> description(String graph) {
        return pool(graph).description();
    }

    /** Returns the version and the capabilities of the graph's worker; empty until it was ready. */
    public Optional<Capabilities> capabilities(String graph) {
        return pool(graph).capabilities();
    }

    /** Completes when a worker of the graph was ready; fails with the reason if the one that starts does not become ready. */
    public CompletionStage<Capabilities> started(String graph) {
        return pool(graph).started();
    }

    /** Returns the graphs without a ready worker. */
    public List<String> unready() {
        return pools.entrySet().stream().filter(pool -> !pool.getValue().isReady()).map(Map.Entry::getKey).toList();
    }

    /** Returns the process ids of the graph's workers. */
    public List<Long> pids(String graph) {
        return pool(graph).pids();
    }

    private WorkerPool pool(String graph) {
        WorkerPool pool = pools.get(graph);
        if (pool == null) {
            throw new IllegalArgumentException("the application has no graph " + graph);
        }
        return pool;
    }

    /** Stops all workers and waits for their processes, which must not outlive the runtime. */
    @PreDestroy
    void stop() {
        CompletableFuture.allOf(pools.values().stream().map(WorkerPool::stop).toArray(CompletableFuture<?>[]::new)).join();
        scheduler.shutdownNow();
    }

    /** Handle of a run in a worker. */
    public interface RunHandle {

        /** Releases credit of consumed events, so that the worker can send more. */
        void releaseCredit(int cost);

        /** Cancels the run; its sink is notified immediately, before the worker responds. */
        void cancel();
    }
}
