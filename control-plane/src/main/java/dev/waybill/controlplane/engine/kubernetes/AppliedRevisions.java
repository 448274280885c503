package dev.waybill.controlplane.engine.kubernetes;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.RevisionSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;

/**
 * Records which revisions this replica applied recently, so that observing a healthy application costs two requests instead of
 * ten. A Deployment's generation increases with every change of its specification; {@link ClusterWatch} reports changes of
 * other objects through {@link #invalidate}.
 */
@Singleton
class AppliedRevisions {

    /** Interval at which the objects of an application that is not ready are applied again. */
    static final Duration REPAIR_INTERVAL = Duration.ofSeconds(15);
    private static final Duration MAX_AGE = Duration.ofMinutes(30);

    private final Clock clock;
    private final ConcurrentMap<UUID, Entry> entries = new ConcurrentHashMap<>();

    AppliedRevisions(Clock clock) {
        this.clock = clock;
    }

    /** Records that all objects of the plan were applied, and the resulting Deployment. */
    void recordApplied(RevisionSpec plan, Deployment deployment) {
        Instant now = clock.instant();
        entries.values().removeIf(entry -> !entry.at().isAfter(now.minus(MAX_AGE)));
        entries.put(plan.revisionId(), entry(plan, deployment, now));
    }

    /** Makes the next observation apply all objects of the deployment again, because one of them was changed or deleted. */
    void invalidate(UUID deploymentId) {
        entries.values().removeIf(entry -> entry.deploymentId().equals(deploymentId));
    }

    /** Returns whether the plan was applied recently and its Deployment has not changed since. */
    boolean isUpToDate(RevisionSpec plan, @Nullable Deployment deployment, boolean ready) {
        Entry entry = entries.get(plan.revisionId());
        Duration age = ready ? MAX_AGE : REPAIR_INTERVAL;
        return deployment != null && entry != null && entry.at().isAfter(clock.instant().minus(age))
                && entry.equals(entry(plan, deployment, entry.at()));
    }

    private static Entry entry(RevisionSpec plan, Deployment deployment, Instant at) {
        return new Entry(plan.deploymentId(), plan.hashCode(), String.valueOf(deployment.getMetadata().getUid()),
                String.valueOf(deployment.getMetadata().getGeneration()), at);
    }

    /**
     * @param plan the plan's hash, because credentials can change
     * @param uid the Deployment's UID
     * @param generation the Deployment's generation
     */
    private record Entry(UUID deploymentId, int plan, String uid, String generation, Instant at) {
    }
}
