package dev.waybill.controlplane.engine.kubernetes.health;

import org.jspecify.annotations.Nullable;

/**
 * The health of a revision.
 *
 * @param built a pod has completed its init containers, or the image was pulled
 * @param ready the desired number of pods is ready
 * @param serving at least one pod is ready
 * @param activity a sentence about the current activity
 * @param problem null if there is none
 */
public record Health(boolean built, boolean ready, boolean serving, String activity, @Nullable PodProblem problem) {

    /** Returns the message for the user while the revision is not ready. */
    public String message() {
        return problem == null ? activity : problem.reason();
    }
}
