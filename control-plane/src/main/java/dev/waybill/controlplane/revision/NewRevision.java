package dev.waybill.controlplane.revision;

import java.util.Map;
import java.util.UUID;

import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.SourceKind;

/**
 * A revision that is not yet stored.
 *
 * @param revisionSource includes the commit if an earlier commit is rebuilt
 */
public record NewRevision(UUID tenantId, UUID deploymentId, SourceKind source, DeploymentSource deploymentSource,
        RevisionSource revisionSource, Map<String, String> secrets) {

    /** Omits the values of the secrets. */
    @Override
    public String toString() {
        return "NewRevision[deployment=" + deploymentId + ", secrets=" + secrets.keySet() + "]";
    }
}
