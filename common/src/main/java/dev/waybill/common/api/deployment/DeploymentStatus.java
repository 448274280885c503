package dev.waybill.common.api.deployment;

/** How a deployment is (contract.md "Deployment management"). */
public enum DeploymentStatus {
    /** It has an active revision. */
    READY,
    /** It never had one. */
    UNUSED,
    /** It is deleted, and something of it may still run. */
    AWAITING_DELETE,
    /** Its active revision does not serve or cannot be seen. */
    UNKNOWN
}
