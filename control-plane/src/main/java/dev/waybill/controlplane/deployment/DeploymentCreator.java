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
import dev.waybill.controlplane.quota.Quota.Counted;
import dev.waybill.controlplane.quota.QuotaService;
import dev.waybill.controlplane.source.address.RepositoryAddresses;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Makes deployments, each with its first revision, in one transaction. */
@Singleton
class DeploymentCreator {

    private final DeploymentRepository repository;
    private final RevisionCreator revisions;
    private final IntegrationService integrations;
    private final QuotaService quotas;
    private final IdempotentCreation mark;
    private final Ids ids;

    DeploymentCreator(DeploymentRepository repository, RevisionCreator revisions, IntegrationService integrations,
            QuotaService quotas, IdempotentCreation mark, Ids ids) {
        this.repository = repository;
        this.revisions = revisions;
        this.integrations = integrations;
        this.quotas = quotas;
        this.mark = mark;
        this.ids = ids;
    }

    /**
     * 404 for an integration that is not there, 422 for a repository that is not its own, 409 for a name that is taken,
     * 403 beyond what the plan allows.
     */
    Uni<Deployment> create(SqlConnection connection, UUID tenantId, CreateDeploymentRequest request) {
        NewDeployment made = NewDeployment.from(tenantId, ids.newId(), request);
        return quotas.lock(connection, tenantId)
                .invoke(quota -> quota.requireWithin(made.deploymentSource().resourceSpec()))
                .call(quota -> repository.count(connection, tenantId)
                        .invoke(present -> quota.requireRoom(Counted.DEPLOYMENTS, present)))
                .chain(() -> requireReach(connection, made))
                .chain(() -> repository.insert(connection, made))
                .chain(() -> revisions.make(connection, made.firstRevision()))
                .chain(() -> mark.recordCreated(made.id(), connection))
                .chain(() -> repository.require(connection, tenantId, made.id()));
    }

    private Uni<Void> requireReach(SqlConnection connection, NewDeployment made) {
        UUID integrationId = made.deploymentSource().integrationId();
        if (integrationId == null) {
            return Uni.createFrom().voidItem();
        }
        return integrations.require(connection, made.tenantId(), integrationId)
                .invoke(integration -> requireUnder(made, integration.baseUrl()))
                .replaceWithVoid();
    }

    private static void requireUnder(NewDeployment made, String baseUrl) {
        String repository = made.deploymentSource().repoUrl();
        if (repository != null && !RepositoryAddresses.liesUnder(repository, baseUrl)) {
            throw ProblemException.invalid(new Violation(List.of("source_config", "repo_url"),
                    "must lie under the integration's base_url, " + baseUrl, "invalid"));
        }
    }
}
