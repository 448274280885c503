package dev.waybill.controlplane.revision;

import java.util.Map;
import java.util.UUID;

import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.SourceKind;

/**
 * A revision that has no row yet.
 *
 * @param revisionSource with a commit where that commit is to be built again
 */
public record NewRevision(UUID tenantId, UUID deploymentId, SourceKind source, DeploymentSource deploymentSource,
        RevisionSource revisionSource, Map<String, String> secrets) {

    /** Without the values of the secrets. */
    @Override
    public String toString() {
        return "NewRevision[deployment=" + deploymentId + ", secrets=" + secrets.keySet() + "]";
    }
}
