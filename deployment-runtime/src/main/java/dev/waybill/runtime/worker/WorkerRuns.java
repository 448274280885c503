package dev.waybill.runtime.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/** The active runs of a worker, from the start request to its response. */
final class WorkerRuns {

    private final Map<UUID, WorkerRun> byId = new ConcurrentHashMap<>();
    private final Map<Long, WorkerRun> byRequest = new ConcurrentHashMap<>();
    /** Accessed by the worker's reading thread only. */
    private final List<WorkerRun> markForFlush = new ArrayList<>();

    void add(long request, WorkerRun run) {
        byId.put(run.id(), run);
        byRequest.put(request, run);
    }

    int count() {
        return byId.size();
    }

    boolean has(WorkerRun run) {
        return byId.containsKey(run.id());
    }

    boolean isOpen(long request) {
        return byRequest.containsKey(request);
    }

    @Nullable
    WorkerRun find(UUID id) {
        return byId.get(id);
    }

    /** Returns the run, unless it has ended for its client. */
    @Nullable
    WorkerRun findActive(UUID id) {
        WorkerRun run = byId.get(id);
        return run == null || run.isEnded() ? null : run;
    }

    boolean haveAllEnded() {
        return byId.values().stream().allMatch(WorkerRun::isEnded);
    }

    /** Removes and returns the run that the request started; null if there is none. */
    @Nullable
    WorkerRun removeByRequest(long request) {
        WorkerRun run = byRequest.remove(request);
        if (run != null) {
            byId.remove(run.id());
        }
        return run;
    }

    void remove(WorkerRun run) {
        byId.remove(run.id());
    }

    List<WorkerRun> removeAll() {
        List<WorkerRun> all = List.copyOf(byId.values());
        byId.clear();
        byRequest.clear();
        return all;
    }

    /** Marks the run for the next {@link #flush}. */
    void markForFlush(WorkerRun run) {
        // Consecutive events mostly belong to one run; a second flush is harmless.
        if (markForFlush.isEmpty() || markForFlush.getLast() != run) {
            markForFlush.add(run);
        }
    }

    /** Flushes all marked runs, once for all events that were received together. */
    void flush() {
        markForFlush.forEach(WorkerRun::flush);
        markForFlush.clear();
    }
}
