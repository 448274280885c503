package dev.waybill.controlplane.event;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.waybill.common.event.ChangeRecorder;
import dev.waybill.controlplane.revision.RevisionChanged;

/** Records visible changes of deployments and revisions for the event stream. */
@Singleton
class DeploymentEvents {

    private final ChangeRecorder changes;

    DeploymentEvents(ChangeRecorder changes) {
        this.changes = changes;
    }

    // A step can also change the status or the active revision of the deployment.
    void onChange(@Observes RevisionChanged changed) {
        if (changed.isVisible()) {
            changes.ofDeployment(changed.tenantId(), changed.deploymentId());
            if (changed.revisionId() != null) {
                changes.ofRevision(changed.tenantId(), changed.deploymentId(), changed.revisionId());
            }
        }
    }
}
