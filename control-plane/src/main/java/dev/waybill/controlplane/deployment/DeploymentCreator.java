package dev.waybill.controlplane.deployment;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.deployment.CreateDeploymentRequest;
import dev.waybill.common.id.Ids;
import dev.waybill.common.idempotency.IdempotentCreation;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.controlplane.integration.IntegrationService;
import dev.waybill.controlplane.quota.Quota.CountLimit;
import dev.waybill.controlplane.quota.QuotaService;
import dev.waybill.controlplane.source.address.RepositoryAddresses;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Creates deployments, each with its first revision in the same transaction. */
@Singleton
class DeploymentCreator {

    private final DeploymentRepository repository;
    private final RevisionCreator revisions;
    private final IntegrationService integrations;
    private final QuotaService quotas;
    private final IdempotentCreation idempotency;
    private final Ids ids;

    DeploymentCreator(DeploymentRepository repository, RevisionCreator revisions, IntegrationService integrations,
            QuotaService quotas, IdempotentCreation idempotency, Ids ids) {
        this.repository = repository;
        this.revisions = revisions;
        this.integrations = integrations;
        this.quotas = quotas;
        this.idempotency = idempotency;
        this.ids = ids;
    }

    /**
     * Creates a deployment. Fails with 404 if the integration does not exist, 422 if the repository is not under its
     * base URL, 409 if the name exists, and 403 if the plan's limits are exceeded.
     */
    Uni<Deployment> create(SqlConnection connection, UUID tenantId, CreateDeploymentRequest request) {
        NewDeployment deployment = NewDeployment.from(tenantId, ids.newId(), request);
        return quotas.lock(connection, tenantId)
                .invoke(quota -> quota.requireWithin(deployment.deploymentSource().resourceSpec()))
                .call(quota -> repository.count(connection, tenantId)
                        .invoke(present -> quota.requireCapacity(CountLimit.DEPLOYMENTS, present)))
                .chain(() -> requireAccess(connection, deployment))
                .chain(() -> repository.insert(connection, deployment))
                .chain(() -> revisions.create(connection, deployment.firstRevision()))
                .chain(() -> idempotency.recordCreated(deployment.id(), connection))
                .chain(() -> repository.require(connection, tenantId, deployment.id()));
    }

    private Uni<Void> requireAccess(SqlConnection connection, NewDeployment deployment) {
        UUID integrationId = deployment.deploymentSource().integrationId();
        if (integrationId == null) {
            return Uni.createFrom().voidItem();
        }
        return integrations.require(connection, deployment.tenantId(), integrationId)
                .invoke(integration -> requireUnder(deployment, integration.baseUrl()))
                .replaceWithVoid();
    }

    private static void requireUnder(NewDeployment deployment, String baseUrl) {
        String repository = deployment.deploymentSource().repoUrl();
        if (repository != null && !RepositoryAddresses.isUnder(repository, baseUrl)) {
            throw ProblemException.invalid(new Violation(List.of("source_config", "repo_url"),
                    "must be under the integration's base_url, " + baseUrl, "invalid"));
        }
    }
}
