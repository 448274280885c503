package dev.waybill.controlplane.rollout;

/**
 * The kind of work that a due deployment needs. Each kind has its own slots, so that restarting a crashed application never
 * waits for builds.
 */
enum WorkKind {

    /** A revision is being rolled out, which can take minutes. */
    ROLLOUT("EXISTS"),

    /** Observing the active revision, stopping, removing. */
    UPKEEP("NOT EXISTS");

    private final String inFlightRevision;

    WorkKind(String inFlightRevision) {
        this.inFlightRevision = inFlightRevision;
    }

    /** Returns the SQL condition for deployments {@code t} that need this kind of work. */
    String condition() {
        return inFlightRevision + """
                 (SELECT FROM deploy.revisions AS r
                WHERE r.tenant_id = t.tenant_id AND r.deployment_id = t.id AND r.status IN ('CREATING', 'QUEUED',
                    'AWAITING_BUILD', 'BUILDING', 'AWAITING_DEPLOY', 'DEPLOYING'))""";
    }
}
