package dev.waybill.controlplane.rollout.metrics;

/**
 * Counts of revisions that are being rolled out, over all workspaces.
 *
 * @param revisions number of revisions in progress
 * @param longestStepSeconds greatest age of a current step; 0 if there is none
 * @param unknown number of active revisions with status UNKNOWN
 */
record InFlightRevisions(long revisions, double longestStepSeconds, long unknown) {

    static final InFlightRevisions NONE = new InFlightRevisions(0, 0, 0);
}
