package dev.waybill.runtime.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/** The runs that a worker has, each from the request that starts it to its answer. */
final class WorkerRuns {

    private final Map<UUID, WorkerRun> byId = new ConcurrentHashMap<>();
    private final Map<Long, WorkerRun> byRequest = new ConcurrentHashMap<>();
    /** Only of the thread that reads the worker. */
    private final List<WorkerRun> heardOf = new ArrayList<>();

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

    /** The same, unless it has ended for its caller. */
    @Nullable
    WorkerRun findGoingOn(UUID id) {
        WorkerRun run = byId.get(id);
        return run == null || run.isEnded() ? null : run;
    }

    boolean haveAllEnded() {
        return byId.values().stream().allMatch(WorkerRun::isEnded);
    }

    /** Takes out the run that the request started; null when there is none. */
    @Nullable
    WorkerRun answered(long request) {
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

    /** There is something for whoever reads the run. */
    void heardOf(WorkerRun run) {
        // Events of one run mostly come together; to be woken twice does no harm.
        if (heardOf.isEmpty() || heardOf.getLast() != run) {
            heardOf.add(run);
        }
    }

    /** Wakes whoever reads those runs, once for all events that came together. */
    void caughtUp() {
        heardOf.forEach(WorkerRun::caughtUp);
        heardOf.clear();
    }
}
