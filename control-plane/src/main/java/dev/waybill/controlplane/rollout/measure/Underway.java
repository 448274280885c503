package dev.waybill.controlplane.rollout.measure;

/**
 * How rollouts stand, over all workspaces.
 *
 * @param revisions that are on their way
 * @param longestStepSeconds how long the one that has been in its present step for longest has been there; 0 when there is none
 * @param unknown active revisions that do not serve, or of which that cannot be seen
 */
record Underway(long revisions, double longestStepSeconds, long unknown) {

    static final Underway NOTHING = new Underway(0, 0, 0);
}
