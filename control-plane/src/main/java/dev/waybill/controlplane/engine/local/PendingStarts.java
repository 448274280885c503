package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.Engine.ApplicationChanged;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.StepFailedException;

/**
 * Waits for applications to become healthy, each on its own virtual thread, without holding a step or a lease
 * (docs/decisions/0115). Their number per workspace is limited.
 */
final class PendingStarts {

    private static final int RESULT_TTL_SECONDS = 60;

    private final int maxPerWorkspace;
    private final Consumer<ApplicationChanged> changes;
    private final ConcurrentMap<UUID, PendingStart> starts = new ConcurrentHashMap<>();

    /** @param result empty if the application is healthy, otherwise the reason for the user */
    private record PendingStart(UUID tenantId, CompletableFuture<Optional<String>> result) {
    }

    PendingStarts(int maxPerWorkspace, Consumer<ApplicationChanged> changes) {
        this.maxPerWorkspace = maxPerWorkspace;
        this.changes = changes;
    }

    /** Returns whether the workspace may start another application. */
    boolean hasCapacityFor(UUID tenantId) {
        return starts.values().stream()
                .filter(start -> start.tenantId().equals(tenantId) && !start.result().isDone())
                .count() < maxPerWorkspace;
    }

    /** Returns the future of the revision's start; null if this control plane does not wait for it. */
    @Nullable
    CompletableFuture<Optional<String>> find(UUID revisionId) {
        PendingStart start = starts.get(revisionId);
        return start == null ? null : start.result();
    }

    /** Waits in the background and fires a change when the result is known. */
    void await(RevisionSpec plan, Wait wait) {
        PendingStart start = new PendingStart(plan.tenantId(), new CompletableFuture<>());
        starts.put(plan.revisionId(), start);
        Thread.ofVirtual().start(() -> {
            try {
                wait.untilHealthy();
                start.result().complete(Optional.empty());
            } catch (StepFailedException e) {
                start.result().complete(Optional.of(e.reason()));
            } catch (IOException | InterruptedException | RuntimeException e) {
                start.result().completeExceptionally(e);
            }
            changes.accept(new ApplicationChanged(plan.tenantId(), plan.deploymentId()));
            // The result is never read if another replica claimed the deployment or the revision was interrupted.
            CompletableFuture.delayedExecutor(RESULT_TTL_SECONDS, TimeUnit.SECONDS)
                    .execute(() -> starts.remove(plan.revisionId(), start));
        });
    }

    /** Removes the start after its result was used. */
    void remove(UUID revisionId) {
        starts.remove(revisionId);
    }

    /** Waits until one application is healthy. */
    @FunctionalInterface
    interface Wait {

        /** @throws StepFailedException if it does not become healthy */
        void untilHealthy() throws IOException, InterruptedException;
    }
}
