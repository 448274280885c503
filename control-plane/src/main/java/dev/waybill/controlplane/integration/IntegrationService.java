package dev.waybill.controlplane.integration;

import java.time.Clock;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.CreateIntegrationRequest;
import dev.waybill.common.api.deployment.CreatedIntegrationResponse;
import dev.waybill.common.api.deployment.IntegrationResponse;
import dev.waybill.common.api.deployment.RepositoryResponse;
import dev.waybill.common.api.deployment.UpdateIntegrationRequest;
import dev.waybill.common.database.Database;
import dev.waybill.common.id.Ids;
import dev.waybill.common.idempotency.CreatedResourceRecorder;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.controlplane.account.WorkspaceLimitService;
import dev.waybill.controlplane.account.WorkspaceLimits.CountLimit;
import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.RepositoryAddresses;
import dev.waybill.controlplane.source.SourceClient;
import dev.waybill.controlplane.source.SourceClient.RepositoryHost;
import dev.waybill.controlplane.source.SourceClient.RepositoryListing;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Creates, reads, updates and deletes integrations, and checks access to them for other features. */
@Singleton
public class IntegrationService {

    private final Database database;
    private final IntegrationRepository repository;
    private final IntegrationEncryptor encryptor;
    private final SourceClient sources;
    private final WorkspaceLimitService limits;
    private final CreatedResourceRecorder idempotency;
    private final Ids ids;
    private final Clock clock;

    IntegrationService(Database database, IntegrationRepository repository, IntegrationEncryptor encryptor,
            SourceClient sources,
            WorkspaceLimitService limits, CreatedResourceRecorder idempotency, Ids ids, Clock clock) {
        this.database = database;
        this.repository = repository;
        this.encryptor = encryptor;
        this.sources = sources;
        this.limits = limits;
        this.idempotency = idempotency;
        this.ids = ids;
        this.clock = clock;
    }

    /**
     * Registers an installation; fails with 409 if the workspace already has it, 403 if the plan's limit is reached.
     */
    Uni<CreatedIntegrationResponse> create(UUID tenantId, CreateIntegrationRequest request) {
        UUID id = ids.newId();
        String webhookSecret = encryptor.newWebhookSecret();
        Integration integration = new Integration(tenantId, id, request.installationId(), request.name(),
                IntegrationValidator.provider(request), RepositoryAddresses.normalize(request.baseUrl()),
                encryptor.encrypt(IntegrationValidator.credential(request), tenantId, id),
                encryptor.encryptWebhookSecret(webhookSecret, tenantId, id), clock.instant());
        return database.inWorkspace(tenantId, connection -> requireCapacity(connection, tenantId)
                .chain(() -> repository.insert(connection, integration))
                .map(created -> requireNew(created, integration))
                .call(created -> idempotency.recordCreated(created.id(), connection)))
                .map(created -> created.toCreatedResponse(webhookSecret));
    }

    private Uni<Void> requireCapacity(SqlConnection connection, UUID tenantId) {
        return limits.lock(connection, tenantId)
                .chain(limit -> repository.count(connection, tenantId)
                        .invoke(current -> limit.requireCapacity(CountLimit.INTEGRATIONS, current)))
                .replaceWithVoid();
    }

    Uni<List<IntegrationResponse>> list(UUID tenantId) {
        return database.inWorkspace(tenantId, connection -> repository.list(connection, tenantId))
                .map(found -> found.stream().map(Integration::toResponse).toList());
    }

    /** Returns the integration; fails with 404 if the workspace does not have it. */
    public Uni<Integration> get(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> repository.require(connection, tenantId, id));
    }

    /**
     * Changes the name, the credential and the webhook secret. Steps of revisions that start later use the new
     * credential, later pushes the new secret.
     */
    Uni<IntegrationResponse> update(UUID tenantId, UUID id, UpdateIntegrationRequest request) {
        return database.inWorkspace(tenantId, connection -> repository.requireForUpdate(connection, tenantId, id)
                .map(current -> changed(current, request))
                .chain(changed -> repository.update(connection, changed)))
                .map(Integration::toResponse);
    }

    private Integration changed(Integration current, UpdateIntegrationRequest request) {
        Credential credential = encryptor.credential(current);
        List<Violation> violations = IntegrationValidator.violations(current, credential, request);
        ProblemException.throwIfAny(violations);
        return current.with(request.name() == null ? current.name() : request.name(),
                encryptor.encrypt(IntegrationValidator.credential(credential, request), current.tenantId(), current.id()),
                request.webhookSecret() == null ? current.webhookSecret()
                        : encryptor.encryptWebhookSecret(request.webhookSecret(), current.tenantId(), current.id()));
    }

    /** Deletes the integration; fails with 409 while a deployment uses it. */
    Uni<Void> delete(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> repository.requireForUpdate(connection, tenantId, id)
                .chain(() -> repository.isUsed(connection, tenantId, id))
                .invoke(used -> requireUnused(used, id))
                .chain(() -> repository.delete(connection, tenantId, id)));
    }

    /**
     * Returns the integration and locks it against deletion for the caller's transaction; fails with 404 if missing.
     */
    public Uni<Integration> require(SqlConnection connection, UUID tenantId, UUID id) {
        return repository.requireForUse(connection, tenantId, id);
    }

    /** Lists the repositories that the host shows; fails with 409 and the host's reason if they cannot be listed. */
    Uni<List<RepositoryResponse>> repositories(UUID tenantId, UUID id) {
        return get(tenantId, id)
                .map(found -> new RepositoryHost(found.provider(), found.baseUrl(), found.installationId(), found.name(),
                        encryptor.credential(found)))
                .chain(sources::repositories)
                .map(IntegrationService::toResponses);
    }

    /** Returns the integration of any workspace, for push webhooks; empty if it does not exist. */
    public Uni<List<Integration>> findInAnyWorkspace(UUID id) {
        return database.everyWorkspace(connection -> repository.findInAnyWorkspace(connection, id));
    }

    /**
     * Returns at most {@code limit} integrations of the installation, in any workspace, whose base URL is one of the
     * addresses.
     */
    public Uni<List<Integration>> findCandidates(List<String> addresses, long installationId, int limit) {
        return database.everyWorkspace(
                connection -> repository.findCandidates(connection, addresses, installationId, limit));
    }

    private static Integration requireNew(@Nullable Integration created, Integration requested) {
        if (created == null) {
            throw ProblemException.conflict("The workspace already has the installation " + requested.installationId() + " of "
                    + requested.baseUrl() + "; update or delete that integration first.");
        }
        return created;
    }

    private static void requireUnused(boolean used, UUID id) {
        if (used) {
            throw ProblemException.conflict("The integration " + id + " is used by a deployment; delete the deployment first.");
        }
    }

    private static List<RepositoryResponse> toResponses(RepositoryListing listing) {
        return switch (listing) {
            case RepositoryListing.Found found -> found.repositories().stream()
                    .map(one -> new RepositoryResponse(one.owner(), one.name(), one.url(), one.defaultBranch(),
                            one.isPrivate()))
                    .toList();
            case RepositoryListing.Failed failed -> throw new ProblemException(CommonProblem.CONFLICT, failed.reason());
        };
    }
}
