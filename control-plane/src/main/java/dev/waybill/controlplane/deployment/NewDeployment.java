package dev.waybill.controlplane.deployment;

import java.util.Map;
import java.util.UUID;

import dev.waybill.common.api.deployment.CreateDeploymentRequest;
import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.SourceKind;
import dev.waybill.controlplane.deployment.validation.CreateDeploymentValidator;
import dev.waybill.controlplane.revision.NewRevision;

/** A deployment that is not yet stored. */
record NewDeployment(UUID tenantId, UUID id, String name, SourceKind source, DeploymentSource deploymentSource,
        RevisionSource revisionSource, Map<String, String> secrets) {

    static NewDeployment from(UUID tenantId, UUID id, CreateDeploymentRequest request) {
        RevisionSource requested = request.sourceRevisionConfig();
        boolean image = request.source() == SourceKind.EXTERNAL_DOCKER;
        String configPath = requested.langgraphConfigPath() == null && !image ? RevisionSource.DEFAULT_CONFIG_PATH
                : requested.langgraphConfigPath();
        return new NewDeployment(tenantId, id, request.name(), request.source(),
                request.sourceConfig().withIntegration(CreateDeploymentValidator.integration(request)),
                new RevisionSource(requested.repoRef(), configPath, requested.imageUri(), null),
                DeploymentPatch.values(request.secretsOrNone()));
    }

    NewRevision firstRevision() {
        return new NewRevision(tenantId, id, source, deploymentSource, revisionSource, secrets);
    }

    /** Omits the secrets. */
    @Override
    public String toString() {
        return "NewDeployment[id=" + id + ", name=" + name + "]";
    }
}
