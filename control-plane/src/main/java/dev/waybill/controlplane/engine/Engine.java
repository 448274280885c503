package dev.waybill.controlplane.engine;

import java.util.Set;
import java.util.UUID;

import io.smallrye.mutiny.Uni;

/**
 * Runs revisions of applications (docs/architecture.md "Control plane: revisions by reconciliation"). The reconciler is the
 * only caller: it holds the deployment's lease, calls one step, and commits what came of it if the lease is still its own.
 *
 * <ul>
 * <li>Every step is called again with equal arguments after a crash of the control plane at any point, after
 * {@link Outcome.InProgress}, and after a failure that may pass. It then finds what is there already, by the ids of its plan,
 * and goes on from there or begins anew; what was done is not done twice.
 * <li>A step's Uni may take as long as the work takes; it must not block the thread that subscribes. It is cancelled when the
 * step's time is over, a newer revision came, the revision was interrupted, the deployment deleted or the lease lost;
 * cancelling ends the work, its child processes too.
 * <li>Two replicas never work on one deployment on purpose, but one that stood still may notice late that it lost its lease.
 * {@link Plan#number} settles who is right: traffic never moves from a greater number to a smaller one.
 * <li>What users cause is an {@link Outcome.Failed} with a reason for them. A Uni that fails is a fault of the engine: it is
 * logged, told without its words, and tried again until the step's time is over.
 * </ul>
 */
public interface Engine {

    /** Greater than the number of any revision. */
    long EVERY = Long.MAX_VALUE;

    /**
     * BUILDING: fetches the commit, checks the application's configuration file and that the graphs it names are there, and
     * runs the install and build commands; or checks the image. What it leaves behind is all that {@link #start} needs.
     * A failure is BUILD_FAILED.
     */
    Uni<Outcome> prepare(Plan plan, BuildLog log);

    /**
     * DEPLOYING: starts what was prepared beside what serves now, waits until it is healthy, and moves the deployment's address
     * to it without refusing a connection. Done means: healthy, and new requests go there. While it waits for health the step
     * returns {@link Outcome.InProgress}, so that it takes no place from others. A failure is DEPLOY_FAILED; what served before
     * goes on serving. The revision before is stopped later, by {@link #stop}.
     */
    Uni<Outcome> start(Plan plan, BuildLog log);

    /**
     * How a deployed revision does: called for the active revision of every deployment when the control plane starts, whenever
     * {@link ApplicationChanged} is fired for it, while it is not serving, and every now and then. Repairs what it finds
     * broken: an application that is gone is started again, with growing pauses where it keeps crashing; drift is put back.
     * Answers soon: it tells what is and does not wait for what will be. While a later revision is on its way or an earlier one
     * is being stopped it is asked, too, beside that step.
     */
    Uni<Observation> observe(Plan plan);

    /**
     * The same, where the revision's log is open: an engine that starts an application again stores its last output there.
     */
    default Uni<Observation> observe(Plan plan, BuildLog log) {
        return observe(plan);
    }

    /**
     * Stops every process of the deployment and removes what its revisions left behind, other than those in {@code keep}, the
     * active revision. What a later revision of an equal source could use again may stay while there is something to keep.
     * Called when a revision was replaced, overtaken or interrupted or has failed, never while one is on its way; and with
     * nothing to keep when the deployment is deleted or has nothing that serves: done then means that nothing of it is left.
     * What was being served may be finished within the grace time. Is asked again until it is done.
     *
     * @param newest the greatest number of a revision that the caller knows of, which settles who is right here, too: where
     *        there is something of a greater one the caller is late, and nothing is stopped or removed. Whoever removes a
     *        deleted deployment, which has no later revision, says {@link #EVERY}
     */
    Uni<Outcome> stop(UUID tenantId, UUID deploymentId, Set<UUID> keep, long newest);
}
