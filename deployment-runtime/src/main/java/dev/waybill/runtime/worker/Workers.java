package dev.waybill.runtime.worker;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.application.Application;
import dev.waybill.common.application.Graph;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.StartupEvent;

/** The workers of all graphs of the application. */
@Singleton
public class Workers {

    private final Map<String, WorkerPool> pools = new TreeMap<>();
    private final ScheduledExecutorService clock;

    @Inject
    Workers(Application application, WorkerConfig config, Shims shims) {
        this(application, config, shims, () -> Quarkus.asyncExit(StartFailureReporter.EXIT_CODE));
    }

    /** @param exit ends the runtime */
    Workers(Application application, WorkerConfig config, Shims shims, Runnable exit) {
        StartFailureReporter reporter = new StartFailureReporter(config.failureFile(), exit);
        ScheduledThreadPoolExecutor one = new ScheduledThreadPoolExecutor(1,
                Thread.ofPlatform().daemon().name("worker-clock").factory());
        // When the runtime stops, what was to happen later does not matter any more.
        one.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        this.clock = one;
        for (Graph graph : application.graphs()) {
            pools.put(graph.id(), new WorkerPool(graph.id(), config,
                    () -> WorkerCommand.of(application, graph, System.getenv(), shims), clock, reporter,
                    application.directory()));
        }
    }

    void begin(@Observes StartupEvent starting) {
        pools.values().forEach(WorkerPool::begin);
    }

    /**
     * Starts a run.
     *
     * @param request what the worker is to know of it (docs/worker-protocol.md, {@code run/start})
     * @param sink hears of everything that comes out of it, its end included
     */
    public RunHandle start(UUID run, String graph, ObjectNode request, RunSink sink) {
        WorkerPool pool = pool(graph);
        return pool.start(new WaitingRun(run, request, sink, pool));
    }

    /** What the graph's worker said of it when it was ready; empty before. */
    public Optional<JsonNode> description(String graph) {
        return pool(graph).description();
    }

    /** The graphs whose workers are not ready. */
    public List<String> unready() {
        return pools.entrySet().stream().filter(pool -> !pool.getValue().isReady()).map(Map.Entry::getKey).toList();
    }

    /** The process ids of the graph's workers. */
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

    /** Waits for them: what is started here does not outlive the runtime. */
    @PreDestroy
    void stop() {
        CompletableFuture.allOf(pools.values().stream().map(WorkerPool::stop).toArray(CompletableFuture<?>[]::new)).join();
        clock.shutdownNow();
    }
}
