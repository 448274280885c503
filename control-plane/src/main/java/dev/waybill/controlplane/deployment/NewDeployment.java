package dev.waybill.controlplane.deployment;

import java.util.Map;
import java.util.UUID;

import dev.waybill.common.api.deployment.CreateDeploymentRequest;
import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.SourceKind;
import dev.waybill.controlplane.deployment.validation.CreateDeploymentValidator;
import dev.waybill.controlplane.revision.NewRevision;

/** A deployment that has no row yet. */
record NewDeployment(UUID tenantId, UUID id, String name, SourceKind source, DeploymentSource deploymentSource,
        RevisionSource revisionSource, Map<String, String> secrets) {

    static NewDeployment from(UUID tenantId, UUID id, CreateDeploymentRequest request) {
        RevisionSource asked = request.sourceRevisionConfig();
        boolean image = request.source() == SourceKind.EXTERNAL_DOCKER;
        String configPath = asked.langgraphConfigPath() == null && !image ? RevisionSource.DEFAULT_CONFIG_PATH
                : asked.langgraphConfigPath();
        return new NewDeployment(tenantId, id, request.name(), request.source(),
                request.sourceConfig().withIntegration(CreateDeploymentValidator.integration(request)),
                new RevisionSource(asked.repoRef(), configPath, asked.imageUri(), null),
                DeploymentPatch.values(request.secretsOrNone()));
    }

    NewRevision firstRevision() {
        return new NewRevision(tenantId, id, source, deploymentSource, revisionSource, secrets);
    }

    /** Without the values of the secrets. */
    @Override
    public String toString() {
        return "NewDeployment[id=" + id + ", name=" + name + "]";
    }
}
