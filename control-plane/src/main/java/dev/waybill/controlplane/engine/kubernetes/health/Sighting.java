package dev.waybill.controlplane.engine.kubernetes.health;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;

/**
 * What was seen of a revision.
 *
 * @param deployment null when it is not there
 * @param pods the revision's
 * @param events of pods that are not ready
 * @param patience how long trouble may last
 */
public record Sighting(@Nullable Deployment deployment, List<Pod> pods, List<Event> events, Instant now, Patience patience) {

    /**
     * @param pullTime for an image that cannot be pulled
     * @param crashes how often a container may end
     */
    public record Patience(Duration pullTime, int crashes) {
    }
}
