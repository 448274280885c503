package dev.waybill.controlplane.engine.kubernetes.health;

import org.jspecify.annotations.Nullable;

/**
 * A problem that keeps a revision from serving.
 *
 * @param reason what happened and what the user can do about it
 * @param retryable whether waiting can resolve it
 * @param log the container whose last output supplements the reason; null for none
 */
public record PodProblem(String reason, boolean retryable, @Nullable ContainerLog log) {

    /**
     * A container's log.
     *
     * @param previous whether the log of the previous run is meant
     */
    public record ContainerLog(String pod, String container, boolean previous) {
    }

    static PodProblem transientProblem(String reason) {
        return new PodProblem(reason, true, null);
    }

    static PodProblem permanentProblem(String reason) {
        return new PodProblem(reason, false, null);
    }
}
