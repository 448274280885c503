package dev.waybill.runtime.run;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import io.quarkus.runtime.ShutdownDelayInitiatedEvent;

/** Clients that stream threads: notified of each run on their thread before its first event. */
@Singleton
public class ThreadWatches {

    /** After {@link RunRegistry}, which ends the remaining runs, and before their responses are waited for. */
    private static final int AFTER_RUNS = Interceptor.Priority.APPLICATION + 550;

    private final Map<UUID, Set<Watch>> watches = new ConcurrentHashMap<>();
    private final RunRegistry registry;

    /** A client that streams a thread. Called by any thread. */
    public interface Watch {

        /** Called before the first event of a run that this replica executes. */
        void started(Run run);

        /** Called when a client has updated the state of the thread on this replica. */
        void updated();

        /** Called at shutdown, when all runs have ended. */
        void stop();
    }

    ThreadWatches(RunRegistry registry) {
        this.registry = registry;
    }

    /**
     * Returns a run of a thread that this replica executes or retains; empty if only the storage or another replica has it.
     *
     * @param stored the run in the storage
     */
    public Optional<Run> local(RunResponse stored) {
        // A run that is active in the storage may have ended here since that was read.
        return registry.find(stored.runId()).filter(run -> !run.endsElsewhere());
    }

    /** Adds a watch of a thread. */
    public void add(UUID thread, Watch watch) {
        watches.compute(thread, (ignored, present) -> {
            Set<Watch> all = present == null ? ConcurrentHashMap.newKeySet() : present;
            all.add(watch);
            return all;
        });
    }

    /** Removes a watch. */
    public void remove(UUID thread, Watch watch) {
        watches.computeIfPresent(thread, (ignored, all) -> {
            all.remove(watch);
            return all.isEmpty() ? null : all;
        });
    }

    void started(Run run) {
        if (run.execution() != null && !watches.isEmpty()) {
            watches.getOrDefault(run.thread(), Set.of()).forEach(watch -> watch.started(run));
        }
    }

    void updated(UUID thread) {
        watches.getOrDefault(thread, Set.of()).forEach(Watch::updated);
    }

    void stop(@Observes @Priority(AFTER_RUNS) ShutdownDelayInitiatedEvent stopping) {
        watches.values().forEach(all -> all.forEach(Watch::stop));
    }
}
