package dev.waybill.runtime.run;

import jakarta.inject.Singleton;

import dev.waybill.runtime.protocol.Capabilities.Memory;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RuntimeStorage;
import io.smallrye.mutiny.Uni;

/** Runs without a thread whose clients want to keep one ({@code on_completion}): each gets a new thread. */
@Singleton
public class KeptThreadService {

    private final RuntimeStorage storage;
    private final RunLifecycleService lifecycle;
    private final ThreadRunService runs;
    private final AssistantWorkers workers;

    KeptThreadService(RuntimeStorage storage, RunLifecycleService lifecycle, ThreadRunService runs,
            AssistantWorkers workers) {
        this.storage = storage;
        this.lifecycle = lifecycle;
        this.runs = runs;
        this.workers = workers;
    }

    /**
     * Returns whether the run gets a thread; without storage, and for a graph that does not remember, it has none. Fails with
     * 503 if the worker, which knows that, does not start.
     */
    public Uni<Boolean> applies(ResolvedRun run) {
        return run.given().keepsThread() && storage.find().isPresent()
                ? workers.capabilities(run.assistant()).map(known -> known.memory() != Memory.STATE)
                : Uni.createFrom().item(false);
    }

    /**
     * Stores a run on a new thread, which its client starts.
     *
     * @param background whether the run continues without clients
     */
    public Uni<Run> create(ResolvedRun run, Owner owner, String principal, boolean background) {
        return create(run, new CallerThread(owner, principal, lifecycle.newId()), background, runs.newIdentity());
    }

    Uni<Run> create(ResolvedRun run, CallerThread thread, boolean background, RunIdentity identity) {
        return Uni.createFrom().deferred(() -> {
            lifecycle.require(run.body());
            ResolvedRun created = new ResolvedRun(run.assistant(), run.given(), run.body().creatingThread(background));
            return runs.begin(thread, created, identity);
        });
    }
}
