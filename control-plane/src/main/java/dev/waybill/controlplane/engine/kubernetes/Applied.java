package dev.waybill.controlplane.engine.kubernetes;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.engine.kubernetes.manifest.KubernetesEngineConfig;
import io.fabric8.kubernetes.api.model.apps.Deployment;

/**
 * Remembers which revisions this replica applied lately, so that an observation of a healthy application costs two requests and
 * not ten. A Deployment's generation grows with every change of its specification. Changes that it does not show are found by
 * {@link ClusterWatch} ({@link #forget}), or when the application stops serving.
 */
@Singleton
class Applied {

    /** How long an application that does not serve is left alone before all of its objects are applied again. */
    static final Duration REPAIR_INTERVAL = Duration.ofSeconds(15);

    private final Clock clock;
    private final Duration maxAge;
    private final ConcurrentMap<UUID, Mark> marks = new ConcurrentHashMap<>();

    Applied(Clock clock, KubernetesEngineConfig config) {
        this.clock = clock;
        this.maxAge = config.applyEvery();
    }

    /** Records that everything of the plan was applied, and which Deployment resulted. */
    void note(Plan plan, Deployment deployment) {
        Instant now = clock.instant();
        marks.values().removeIf(mark -> !mark.at().isAfter(now.minus(maxAge)));
        marks.put(plan.revisionId(), mark(plan, deployment, now));
    }

    /** Has a deployment applied again by its next observation, because one of its objects was changed or deleted. */
    void forget(UUID deploymentId) {
        marks.values().removeIf(mark -> mark.deploymentId().equals(deploymentId));
    }

    /** Returns whether the plan was applied not long ago and nobody changed its Deployment since. */
    boolean isIntact(Plan plan, @Nullable Deployment deployment, boolean ready) {
        Mark mark = marks.get(plan.revisionId());
        Duration age = !ready && REPAIR_INTERVAL.compareTo(maxAge) < 0 ? REPAIR_INTERVAL : maxAge;
        return deployment != null && mark != null && mark.at().isAfter(clock.instant().minus(age))
                && mark.equals(mark(plan, deployment, mark.at()));
    }

    private static Mark mark(Plan plan, Deployment deployment, Instant at) {
        return new Mark(plan.deploymentId(), plan.hashCode(), String.valueOf(deployment.getMetadata().getUid()),
                String.valueOf(deployment.getMetadata().getGeneration()), at);
    }

    /**
     * @param plan its hash: a credential may be another one today
     * @param uid of the Deployment
     * @param generation of the Deployment
     */
    private record Mark(UUID deploymentId, int plan, String uid, String generation, Instant at) {
    }
}
