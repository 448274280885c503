package dev.waybill.controlplane.rollout;

/**
 * What a deployment that is due wants of a worker. Each has places of its own, so that an application which has crashed is not
 * left lying until somebody's build is done.
 */
enum Errand {

    /** A revision is on its way: minutes, perhaps. */
    ROLLOUT("EXISTS"),

    /** Looking how the active revision does, stopping, removing. */
    UPKEEP("NOT EXISTS");

    private final String revisionUnderWay;

    Errand(String revisionUnderWay) {
        this.revisionUnderWay = revisionUnderWay;
    }

    /** An SQL condition on the deployment {@code t}. */
    String condition() {
        return revisionUnderWay + """
                 (SELECT FROM deploy.revisions AS r
                WHERE r.tenant_id = t.tenant_id AND r.deployment_id = t.id AND r.status IN ('CREATING', 'QUEUED',
                    'AWAITING_BUILD', 'BUILDING', 'AWAITING_DEPLOY', 'DEPLOYING'))""";
    }
}
