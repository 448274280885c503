package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.ApplicationChanged;
import dev.waybill.controlplane.engine.Plan;

/**
 * Waits for applications to become healthy, each on a thread of its own, so that no step and no lease is held meanwhile
 * (docs/decisions/0115). Their number is bounded for each workspace.
 */
final class PendingStarts {

    private static final int KEPT_SECONDS = 60;

    private final int maxPerWorkspace;
    private final LocalEngine.Changes changes;
    private final ConcurrentMap<UUID, PendingStart> starts = new ConcurrentHashMap<>();

    /** @param result empty when it is healthy, else the reason for its user */
    private record PendingStart(UUID tenantId, CompletableFuture<Optional<String>> result) {
    }

    PendingStarts(int maxPerWorkspace, LocalEngine.Changes changes) {
        this.maxPerWorkspace = maxPerWorkspace;
        this.changes = changes;
    }

    /** Returns whether the workspace may have one more application that is not healthy yet. */
    boolean hasCapacityFor(UUID tenantId) {
        return starts.values().stream()
                .filter(start -> start.tenantId().equals(tenantId) && !start.result().isDone())
                .count() < maxPerWorkspace;
    }

    /** Returns the future of the revision's start; null when nobody waits for it here. */
    @Nullable
    CompletableFuture<Optional<String>> find(UUID revisionId) {
        PendingStart start = starts.get(revisionId);
        return start == null ? null : start.result();
    }

    /** Waits in the background, and fires a change when the result is known. */
    void await(Plan plan, Wait wait) {
        PendingStart start = new PendingStart(plan.tenantId(), new CompletableFuture<>());
        starts.put(plan.revisionId(), start);
        Thread.ofVirtual().start(() -> {
            try {
                wait.untilHealthy();
                start.result().complete(Optional.empty());
            } catch (StepFailure e) {
                start.result().complete(Optional.of(e.reason()));
            } catch (IOException | InterruptedException | RuntimeException e) {
                start.result().completeExceptionally(e);
            }
            changes.fire(new ApplicationChanged(plan.tenantId(), plan.deploymentId()));
            // Another replica may have taken the result over, or the revision was interrupted.
            CompletableFuture.delayedExecutor(KEPT_SECONDS, TimeUnit.SECONDS)
                    .execute(() -> starts.remove(plan.revisionId(), start));
        });
    }

    /** Removes the start, whose result was used. */
    void forget(UUID revisionId) {
        starts.remove(revisionId);
    }

    /** Waits for one application. */
    @FunctionalInterface
    interface Wait {

        /** @throws StepFailure when it does not become healthy */
        void untilHealthy() throws IOException, InterruptedException;
    }
}
