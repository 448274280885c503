package dev.waybill.controlplane.engine.kubernetes.health;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;

/**
 * The cluster's objects of a revision at one moment.
 *
 * @param deployment null if it does not exist
 * @param pods the revision's pods
 * @param events events of pods that are not ready
 */
public record RevisionSnapshot(@Nullable Deployment deployment, List<Pod> pods, List<Event> events, Instant now) {
}
