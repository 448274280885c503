package dev.waybill.controlplane.engine.kubernetes;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.Plan;
import io.fabric8.kubernetes.api.model.apps.Deployment;

/**
 * What this replica applied lately, so that looking at a healthy application costs two questions and not ten. The API server
 * counts up a Deployment's generation with every change of what it is to be; what cannot be seen so is applied every now and
 * then.
 */
final class Applied {

    private final Clock clock;
    private final Duration every;
    private final ConcurrentMap<UUID, Mark> marks = new ConcurrentHashMap<>();

    Applied(Clock clock, Duration every) {
        this.clock = clock;
        this.every = every;
    }

    /** Everything of the plan was applied, and its Deployment became that. */
    void note(Plan plan, Deployment deployment) {
        Instant now = clock.instant();
        marks.values().removeIf(mark -> !mark.at().isAfter(now.minus(every)));
        marks.put(plan.revisionId(), mark(plan, deployment, now));
    }

    /** Whether the plan was applied not long ago and nobody changed its Deployment since. */
    boolean isIntact(Plan plan, @Nullable Deployment deployment) {
        Mark mark = marks.get(plan.revisionId());
        return deployment != null && mark != null && mark.at().isAfter(clock.instant().minus(every))
                && mark.equals(mark(plan, deployment, mark.at()));
    }

    private static Mark mark(Plan plan, Deployment deployment, Instant at) {
        return new Mark(plan.hashCode(), String.valueOf(deployment.getMetadata().getUid()),
                String.valueOf(deployment.getMetadata().getGeneration()), at);
    }

    /**
     * @param plan its hash: a credential may be another one today
     * @param uid of the Deployment
     * @param generation of the Deployment
     */
    private record Mark(int plan, String uid, String generation, Instant at) {
    }
}
