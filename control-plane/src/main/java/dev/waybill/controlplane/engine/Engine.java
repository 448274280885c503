package dev.waybill.controlplane.engine;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.smallrye.mutiny.Uni;

/**
 * Runs revisions of applications (docs/architecture.md "Control plane: revisions by reconciliation"). The reconciler is the
 * only caller: it holds the deployment's lease, runs one step, and commits the step's result if it still holds the lease.
 *
 * <ul>
 * <li>Steps are idempotent: a step is repeated with equal arguments after a crash of the control plane, after
 * {@link Outcome.InProgress}, and after a retryable failure. It finds existing resources by the ids of its plan and continues
 * from them.
 * <li>A step's Uni must not block the subscribing thread. It is cancelled when the step times out, a newer revision exists, the
 * revision was interrupted, the deployment was deleted, or the lease was lost; cancellation stops the work including its child
 * processes.
 * <li>A paused replica can notice late that it lost its lease, so two replicas can run steps of one deployment at the same
 * time. {@link RevisionSpec#number} is the fencing token: traffic never moves to a revision with a smaller number.
 * <li>A failure that the user can fix is an {@link Outcome.Failed} with a reason. A failed Uni is an error of the engine: it is
 * logged, reported to the user without details, and retried until the step's timeout.
 * </ul>
 */
public interface Engine {

    /** Greater than any revision's number. */
    long MAX_REVISION_NUMBER = Long.MAX_VALUE;

    /**
     * Builds the revision (status BUILDING): fetches the commit, checks that the configuration file and the graphs in it exist,
     * and runs the install and build commands; or checks the image. Leaves behind everything that {@link #start} needs. A
     * failure ends in BUILD_FAILED.
     */
    Uni<Outcome> prepare(RevisionSpec plan, BuildLog log);

    /**
     * Deploys the revision (status DEPLOYING): starts it beside the active revision, waits until it is healthy, and routes the
     * deployment's address to it without refusing connections. Returns {@link Outcome.InProgress} while the revision is not
     * healthy, so that it occupies no rollout slot. A failure ends in DEPLOY_FAILED and leaves the active revision serving;
     * {@link #stop} removes the previous revision later.
     */
    Uni<Outcome> start(RevisionSpec plan, BuildLog log);

    /**
     * Checks the active revision: called when the control plane starts, when {@link ApplicationChanged} is fired, periodically,
     * and more often while the revision does not serve. Repairs drift and restarts an application that ended, with exponential
     * backoff. Returns the current state without waiting for a repair to take effect; runs concurrently with steps of a later
     * revision.
     */
    Uni<Observation> observe(RevisionSpec plan);

    /**
     * Like {@link #observe(RevisionSpec)}, and logs the last output of an application that the engine restarts.
     */
    default Uni<Observation> observe(RevisionSpec plan, BuildLog log) {
        return observe(plan);
    }

    /**
     * Stops the deployment's processes and removes the resources of its revisions, except those in {@code keep}, the active
     * revision. Called when a revision was replaced, superseded or interrupted or has failed; with an empty set when the
     * deployment is deleted or has no active revision: then nothing of it remains. Build caches may be retained while
     * {@code keep} is not empty. Requests in progress may finish within the grace period. Called repeatedly until done.
     *
     * @param newest the greatest revision number that the caller knows; if a resource has a greater one, the caller is stale
     *        and nothing is stopped or removed. {@link #MAX_REVISION_NUMBER} when the deployment was deleted
     */
    Uni<Outcome> stop(UUID tenantId, UUID deploymentId, Set<UUID> keep, long newest);

    /**
     * Reads the output of a revision's application, also after it ended, until {@link #stop} removes it. Callable without the
     * deployment's lease, on every replica.
     */
    Uni<ServerLog> serverLog(ApplicationId application, ServerLogQuery query, Redaction redaction);

    /** Measures what a revision's application uses now. Callable without the deployment's lease, on every replica. */
    Uni<ApplicationUsage> usage(ApplicationId application);

    /** Returns the configuration of the runtimes of all applications, by key. */
    Map<String, String> settings();

    /** Names the application of a revision. */
    public record ApplicationId(UUID tenantId, UUID deploymentId, UUID revisionId) {
    }

    /** The state of a deployed revision. */
    public sealed interface Observation {

        /** The revision is healthy and reachable. */
        record Serving() implements Observation {
        }

        /**
         * The revision crashed, is restarting, does not respond, or cannot be checked; its status is UNKNOWN until it serves.
         *
         * @param reason the {@code status_message}: a sentence for the user, without secrets
         */
        record Failing(String reason) implements Observation {
        }
    }

    /** The outcome of an engine's step. */
    public sealed interface Outcome {

        /** The step is done; the revision moves to its next status. */
        record Done() implements Outcome {
        }

        /**
         * The step is not done and holds no state in this replica: it is called again, and the deployment's lease is released
         * until then.
         *
         * @param message the revision's {@code status_message} until then
         * @param recheckAfter the longest time until the next call; {@link ApplicationChanged} shortens it
         * @param isHealthCheck whether the application was started and is not healthy yet
         */
        record InProgress(String message, Duration recheckAfter, boolean isHealthCheck) implements Outcome {

            /** Creates the outcome of a step that has not started the application. */
            public InProgress(String message, Duration recheckAfter) {
                this(message, recheckAfter, false);
            }
        }

        /**
         * The step failed.
         *
         * @param reason the revision's {@code status_message}: what happened and what the user can do about it, without secrets
         * @param retryable whether a retry can succeed; retries use exponential backoff until the step's timeout
         */
        record Failed(String reason, boolean retryable) implements Outcome {

            /** Returns a failure that a retry cannot fix; the revision fails immediately. */
            public static Failed permanent(String reason) {
                return new Failed(reason, false);
            }
        }
    }

    /**
     * Event that an engine fires, from any thread, when a deployment's processes or pods change state. It makes the reconciler
     * check the deployment immediately; a lost event only delays the check.
     */
    public record ApplicationChanged(UUID tenantId, UUID deploymentId) {
    }
}
