package dev.waybill.controlplane.integration;

import java.time.Clock;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.CreateIntegrationRequest;
import dev.waybill.common.api.deployment.CreatedIntegrationResponse;
import dev.waybill.common.api.deployment.IntegrationResponse;
import dev.waybill.common.api.deployment.UpdateIntegrationRequest;
import dev.waybill.common.database.Database;
import dev.waybill.common.id.Ids;
import dev.waybill.common.idempotency.IdempotentCreation;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.controlplane.quota.Quota.Counted;
import dev.waybill.controlplane.quota.QuotaService;
import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.address.RepositoryAddresses;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** What can be done with integrations; other features ask it who may use which. */
@Singleton
public class IntegrationService {

    private final Database database;
    private final IntegrationRepository repository;
    private final IntegrationEncryptor safe;
    private final QuotaService quotas;
    private final IdempotentCreation mark;
    private final Ids ids;
    private final Clock clock;

    IntegrationService(Database database, IntegrationRepository repository, IntegrationEncryptor safe, QuotaService quotas,
            IdempotentCreation mark, Ids ids, Clock clock) {
        this.database = database;
        this.repository = repository;
        this.safe = safe;
        this.quotas = quotas;
        this.mark = mark;
        this.ids = ids;
        this.clock = clock;
    }

    /** Registers an installation: 409 when the workspace has it already, 403 when it has as many as its plan allows. */
    Uni<CreatedIntegrationResponse> create(UUID tenantId, CreateIntegrationRequest request) {
        UUID id = ids.newId();
        String webhookSecret = safe.newWebhookSecret();
        Integration integration = new Integration(tenantId, id, request.installationId(), request.name(),
                CreateIntegrationValidator.provider(request), RepositoryAddresses.normal(request.baseUrl()),
                safe.seal(CreateIntegrationValidator.credential(request), tenantId, id),
                safe.sealWebhookSecret(webhookSecret, tenantId, id), clock.instant());
        return database.inWorkspace(tenantId, connection -> requireRoom(connection, tenantId)
                .chain(() -> repository.insert(connection, integration))
                .map(made -> requireNew(made, integration))
                .call(made -> mark.recordCreated(made.id(), connection)))
                .map(made -> made.toCreatedResponse(webhookSecret));
    }

    private Uni<Void> requireRoom(SqlConnection connection, UUID tenantId) {
        return quotas.lock(connection, tenantId)
                .chain(quota -> repository.count(connection, tenantId)
                        .invoke(present -> quota.requireRoom(Counted.INTEGRATIONS, present)))
                .replaceWithVoid();
    }

    Uni<List<IntegrationResponse>> list(UUID tenantId) {
        return database.inWorkspace(tenantId, connection -> repository.list(connection, tenantId))
                .map(found -> found.stream().map(Integration::toResponse).toList());
    }

    /** The integration; 404 when it is not the workspace's. */
    public Uni<Integration> get(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> repository.require(connection, tenantId, id));
    }

    /**
     * Changes its name, what opens its repositories, from the next step of any revision on, and what its pushes are signed
     * with, from the next push on.
     */
    Uni<IntegrationResponse> update(UUID tenantId, UUID id, UpdateIntegrationRequest request) {
        return database.inWorkspace(tenantId, connection -> repository.requireForUpdate(connection, tenantId, id)
                .map(present -> changed(present, request))
                .chain(changed -> repository.change(connection, changed)))
                .map(Integration::toResponse);
    }

    private Integration changed(Integration present, UpdateIntegrationRequest request) {
        Credential opens = safe.credential(present);
        List<Violation> violations = UpdateIntegrationValidator.violations(present, opens, request);
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations);
        }
        return present.with(request.name() == null ? present.name() : request.name(),
                safe.seal(UpdateIntegrationValidator.credential(opens, request), present.tenantId(), present.id()),
                request.webhookSecret() == null ? present.webhookSecret()
                        : safe.sealWebhookSecret(request.webhookSecret(), present.tenantId(), present.id()));
    }

    /** 409 while a deployment uses it. */
    Uni<Void> delete(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> repository.requireForUpdate(connection, tenantId, id)
                .chain(() -> repository.isUsed(connection, tenantId, id))
                .invoke(used -> requireUnused(used, id))
                .chain(() -> repository.delete(connection, tenantId, id)));
    }

    /** The integration, in the transaction of whoever uses it, which keeps it there; 404 when it is not the workspace's. */
    public Uni<Integration> require(SqlConnection connection, UUID tenantId, UUID id) {
        return repository.requireForUse(connection, tenantId, id);
    }

    /** The integration that a push was sent to, whichever workspace it belongs to; empty when there is none. */
    public Uni<List<Integration>> findInAnyWorkspace(UUID id) {
        return database.everyWorkspace(connection -> repository.findInAnyWorkspace(connection, id));
    }

    /**
     * Integrations of any workspace, of that installation, that a repository with one of these addresses may belong to, so many
     * at most.
     */
    public Uni<List<Integration>> candidates(List<String> addresses, long installationId, int most) {
        return database.everyWorkspace(
                connection -> repository.candidates(connection, addresses, installationId, most));
    }

    private static Integration requireNew(@Nullable Integration made, Integration asked) {
        if (made == null) {
            throw ProblemException.conflict("The workspace already has the installation " + asked.installationId() + " of "
                    + asked.baseUrl() + "; change that one, or delete it first.");
        }
        return made;
    }

    private static void requireUnused(boolean used, UUID id) {
        if (used) {
            throw ProblemException.conflict("The integration " + id + " is used by a deployment; delete the deployment first.");
        }
    }
}
