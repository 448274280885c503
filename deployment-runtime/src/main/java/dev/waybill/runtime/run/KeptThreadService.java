package dev.waybill.runtime.run;

import jakarta.inject.Singleton;

import dev.waybill.runtime.protocol.Capabilities.Memory;
import dev.waybill.runtime.run.ThreadRunService.CallerThread;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.worker.Workers;
import io.smallrye.mutiny.Uni;

/** Runs without a thread whose clients want to keep one ({@code on_completion}): each gets a new thread. */
@Singleton
public class KeptThreadService {

    private final RuntimeStorage storage;
    private final Workers workers;
    private final RunLifecycleService lifecycle;
    private final ThreadRunService runs;

    KeptThreadService(RuntimeStorage storage, Workers workers, RunLifecycleService lifecycle, ThreadRunService runs) {
        this.storage = storage;
        this.workers = workers;
        this.lifecycle = lifecycle;
        this.runs = runs;
    }

    /** Returns whether the run gets a thread; without storage, and for a graph that does not remember, it has none. */
    public boolean applies(ResolvedRun run) {
        return run.given().keepsThread() && storage.find().isPresent()
                && workers.capabilities(run.assistant().graphId()).filter(known -> known.memory() != Memory.STATE).isPresent();
    }

    /**
     * Stores a run on a new thread, which its client starts.
     *
     * @param background whether the run continues without clients
     */
    public Uni<Run> create(ResolvedRun run, Owner owner, String principal, boolean background) {
        return Uni.createFrom().deferred(() -> {
            lifecycle.require(run.body());
            CallerThread thread = new CallerThread(owner, principal, lifecycle.newId());
            return runs.begin(thread, new ResolvedRun(run.assistant(), run.given(), run.body().creatingThread(background)));
        });
    }
}
