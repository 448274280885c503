package dev.waybill.runtime.run;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunStorage.CancelAction;
import dev.waybill.runtime.storage.RunStorage.RunSelection;
import dev.waybill.runtime.storage.RuntimeStorage;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Cancels several runs at once. Runs without a thread are only known to the replica that executes them. */
@Singleton
public class RunCancellationService {

    private static final int CONCURRENT_READS = 8;

    private final RuntimeStorage storage;
    private final StoredThreadRuns threads;
    private final ThreadRuns runs;
    private final RunLifecycleService lifecycle;
    private final RunRegistry registry;

    RunCancellationService(RuntimeStorage storage, StoredThreadRuns threads, ThreadRuns runs, RunLifecycleService lifecycle,
            RunRegistry registry) {
        this.storage = storage;
        this.threads = threads;
        this.runs = runs;
        this.lifecycle = lifecycle;
        this.registry = registry;
    }

    /**
     * Cancels the selected runs; has no effect on ended ones. Fails with 404 if the thread, or a run that is named, does not
     * exist; no run is cancelled then.
     */
    public Uni<Void> cancel(Owner owner, String principal, CancelRunsRequest request, CancelAction action) {
        UUID thread = request.threadId();
        if (request.namesRuns()) {
            return cancel(new CallerThread(owner, principal, requireNonNull(thread)),
                    new LinkedHashSet<>(requireNonNull(request.runIds())), action);
        }
        CancelRunsRequest.Selected selected = requireNonNull(request.status());
        return (thread == null ? Uni.createFrom().voidItem()
                : threads.findThread(new CallerThread(owner, principal, thread)).replaceWithVoid())
                .chain(() -> storage.find().isEmpty() ? Uni.createFrom().voidItem()
                        : request(owner, new RunSelection(thread, List.of(), selected.status()), action))
                .invoke(() -> registry.active().stream()
                        .filter(run -> thread == null && run.execution() == null && run.principal().equals(principal))
                        .filter(run -> selected.includes(run.status()))
                        .forEach(lifecycle::cancel));
    }

    private Uni<Void> cancel(CallerThread thread, Set<UUID> named, CancelAction action) {
        if (named.equals(Set.of(thread.id()))) {
            return Uni.createFrom().item(() -> lifecycle.require(thread.id(), thread.principal()))
                    .invoke(lifecycle::cancel).replaceWithVoid();
        }
        return Multi.createFrom().iterable(named)
                .onItem().transformToUni(run -> threads.find(thread, run)).merge(CONCURRENT_READS)
                .collect().asList()
                .chain(() -> request(thread.owner(), new RunSelection(thread.id(), named, null), action))
                .invoke(() -> named.forEach(run -> runs.find(run).filter(local -> !local.isQueued())
                        .ifPresent(local -> local.cancel(action))));
    }

    /** Ends pending runs, and marks running ones for their replicas; this one reads them at once. */
    private Uni<Void> request(Owner owner, RunSelection selection, CancelAction action) {
        return storage.execute(opened -> opened.runs().requestCancel(owner, selection, action))
                .invoke(runs::tick)
                .replaceWithVoid();
    }
}
