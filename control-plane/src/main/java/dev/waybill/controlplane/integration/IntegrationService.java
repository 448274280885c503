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
import dev.waybill.common.idempotency.CreationMark;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.address.RepositoryAddresses;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** What can be done with integrations; other features ask it who may use which. */
@Singleton
public class IntegrationService {

    private final Database database;
    private final IntegrationRepository repository;
    private final IntegrationSafe safe;
    private final CreationMark mark;
    private final Ids ids;
    private final Clock clock;

    IntegrationService(Database database, IntegrationRepository repository, IntegrationSafe safe, CreationMark mark, Ids ids,
            Clock clock) {
        this.database = database;
        this.repository = repository;
        this.safe = safe;
        this.mark = mark;
        this.ids = ids;
        this.clock = clock;
    }

    /** Registers an installation: 409 when the workspace has it already. */
    Uni<CreatedIntegrationResponse> create(UUID tenantId, CreateIntegrationRequest request) {
        UUID id = ids.newId();
        String webhookSecret = safe.newWebhookSecret();
        Integration integration = new Integration(tenantId, id, request.installationId(), request.name(),
                IntegrationRules.provider(request), RepositoryAddresses.normal(request.baseUrl()),
                safe.seal(IntegrationRules.credential(request), tenantId, id),
                safe.sealWebhookSecret(webhookSecret, tenantId, id), clock.instant());
        return database.inWorkspace(tenantId, connection -> repository.insert(connection, integration)
                .map(made -> requireNew(made, integration))
                .call(made -> mark.made(made.id(), connection)))
                .map(made -> made.toCreatedResponse(webhookSecret));
    }

    Uni<List<IntegrationResponse>> list(UUID tenantId) {
        return database.inWorkspace(tenantId, connection -> repository.list(connection, tenantId))
                .map(found -> found.stream().map(Integration::toResponse).toList());
    }

    /** The integration; 404 when it is not the workspace's. */
    public Uni<Integration> get(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> repository.require(connection, tenantId, id));
    }

    /** Changes its name and what opens its repositories, from the next step of any revision on. */
    Uni<IntegrationResponse> update(UUID tenantId, UUID id, UpdateIntegrationRequest request) {
        return database.inWorkspace(tenantId, connection -> repository.requireForUpdate(connection, tenantId, id)
                .map(present -> changed(present, request))
                .chain(changed -> repository.change(connection, changed)))
                .map(Integration::toResponse);
    }

    private Integration changed(Integration present, UpdateIntegrationRequest request) {
        Credential opens = safe.credential(present);
        List<Violation> violations = IntegrationChange.violations(present, opens, request);
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations);
        }
        return present.with(request.name() == null ? present.name() : request.name(),
                safe.seal(IntegrationChange.credential(opens, request), present.tenantId(), present.id()));
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

    /** Integrations of any workspace that a repository with one of these addresses may belong to, so many at most. */
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
