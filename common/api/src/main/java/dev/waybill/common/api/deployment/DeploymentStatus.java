package dev.waybill.common.api.deployment;

/** The status of a deployment. */
public enum DeploymentStatus {
    /** The deployment has an active revision. */
    READY,
    /** The deployment never had an active revision. */
    UNUSED,
    /** The deployment is deleted, and parts of it may still run. */
    AWAITING_DELETE,
    /** The active revision does not serve requests, or its state cannot be determined. */
    UNKNOWN
}
