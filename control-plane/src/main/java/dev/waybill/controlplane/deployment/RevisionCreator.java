package dev.waybill.controlplane.deployment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.ResourceSpec;
import dev.waybill.common.api.deployment.UpdateDeploymentRequest;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.controlplane.account.WorkspaceLimitService;
import dev.waybill.controlplane.account.WorkspaceLimits.CountLimit;
import dev.waybill.controlplane.deployment.validation.InstallationPolicy;
import dev.waybill.controlplane.integration.IntegrationService;
import dev.waybill.controlplane.revision.EnvironmentEncryptor;
import dev.waybill.controlplane.revision.NewRevision;
import dev.waybill.controlplane.revision.Revision;
import dev.waybill.controlplane.revision.RevisionService;
import dev.waybill.controlplane.source.RepositoryAddresses;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Creates and cancels revisions of deployments; callers hold the lock of the deployment's row. */
@Singleton
class RevisionCreator {

    private final DeploymentRepository repository;
    private final RevisionService revisions;
    private final EnvironmentEncryptor encryptor;
    private final PlatformSecrets platformSecrets;
    private final InstallationPolicy installation;
    private final IntegrationService integrations;
    private final WorkspaceLimitService limits;

    RevisionCreator(DeploymentRepository repository, RevisionService revisions, EnvironmentEncryptor encryptor,
            PlatformSecrets platformSecrets,
            InstallationPolicy installation, IntegrationService integrations,
            WorkspaceLimitService limits) {
        this.repository = repository;
        this.revisions = revisions;
        this.encryptor = encryptor;
        this.platformSecrets = platformSecrets;
        this.installation = installation;
        this.integrations = integrations;
        this.limits = limits;
    }

    /** Inserts a deployment with its first revision. */
    Uni<Void> createFirst(SqlConnection connection, String name, NewRevision revision) {
        return requireCapacity(connection, revision)
                .chain(() -> requireAccess(connection, revision))
                .chain(() -> repository.insert(connection, name, revision))
                .chain(() -> create(connection, revision))
                .replaceWithVoid();
    }

    /** Creates a revision and ensures that the deployment has a tracing key and, with threads, a database role. */
    Uni<Revision> create(SqlConnection connection, NewRevision revision) {
        return platformSecrets
                .create(connection, revision.tenantId(), revision.deploymentId(), revision.deploymentSource().resourceSpec())
                .chain(() -> revisions.create(connection, revision));
    }

    /**
     * Returns whether the request changes the build or run configuration; fails with 409 or 422 if it is not allowed.
     */
    boolean changes(Deployment current, UpdateDeploymentRequest request) {
        return validated(current, request).changed();
    }

    /**
     * Updates the deployment and creates a revision if its configuration changes or {@code always} is set.
     *
     * @return the id of the deployment's latest revision
     */
    Uni<UUID> change(SqlConnection connection, Deployment current, UpdateDeploymentRequest request, boolean always) {
        DeploymentPatch change = validated(current, request);
        if (!change.changed() && !always) {
            return Uni.createFrom().item(current.latestRevisionId());
        }
        return requireWithinLimits(connection, current, request.sourceOrEmpty().resourceSpec())
                .chain(() -> repository.change(connection, current, change))
                .chain(() -> create(connection,
                        new NewRevision(current.tenantId(), current.id(), current.specification().source(),
                                change.deploymentSource(),
                                change.revisionSource(), change.secrets())))
                .map(Revision::id);
    }

    private DeploymentPatch validated(Deployment current, UpdateDeploymentRequest request) {
        requireNotDeleted(current);
        List<Violation> violations = new ArrayList<>(DeploymentPatch.violations(current, request));
        violations.addAll(installation.violations(DeploymentPatch.newCustomUrl(current, request),
                DeploymentPatch.newImage(current, request)));
        ProblemException.throwIfAny(violations);
        return DeploymentPatch.of(current, secrets(current), request);
    }

    private Uni<Void> requireCapacity(SqlConnection connection, NewRevision revision) {
        return limits.lock(connection, revision.tenantId())
                .invoke(limit -> limit.requireWithin(revision.deploymentSource().resourceSpec()))
                .call(limit -> repository.count(connection, revision.tenantId())
                        .invoke(present -> limit.requireCapacity(CountLimit.DEPLOYMENTS, present)))
                .replaceWithVoid();
    }

    private Uni<Void> requireAccess(SqlConnection connection, NewRevision revision) {
        UUID integrationId = revision.deploymentSource().integrationId();
        if (integrationId == null) {
            return Uni.createFrom().voidItem();
        }
        return integrations.require(connection, revision.tenantId(), integrationId)
                .invoke(integration -> requireUnder(revision, integration.baseUrl()))
                .replaceWithVoid();
    }

    private static void requireUnder(NewRevision revision, String baseUrl) {
        String repository = revision.deploymentSource().repoUrl();
        if (repository != null && !RepositoryAddresses.isUnder(repository, baseUrl)) {
            throw ProblemException.invalid(new Violation(List.of("source_config", "repo_url"),
                    "must be under the integration's base_url, " + baseUrl, "invalid"));
        }
    }

    // Unchanged resources stay valid even if the plan was downgraded.
    private Uni<Void> requireWithinLimits(SqlConnection connection, Deployment current, @Nullable ResourceSpec requested) {
        return requested == null || requested.equals(current.specification().deploymentSource().resourceSpec())
                ? Uni.createFrom().voidItem()
                : limits.find(connection, current.tenantId())
                        .invoke(limit -> limit.requireWithin(requested))
                        .replaceWithVoid();
    }

    /** Creates a revision of an earlier revision's source and commit, with the deployment's current secrets. */
    Uni<Revision> redeploy(SqlConnection connection, Deployment current, Revision earlier) {
        requireNotDeleted(current);
        return requireWithinLimits(connection, current, earlier.deploymentSource().resourceSpec())
                .chain(() -> create(connection, new NewRevision(current.tenantId(), current.id(), earlier.source(),
                        earlier.deploymentSource(), earlier.revisionSource(), secrets(current))));
    }

    /** Creates a revision of each deployment from its current configuration and ref. */
    Uni<Void> rebuild(SqlConnection connection, UUID tenantId, List<UUID> deployments) {
        return Multi.createFrom().iterable(deployments)
                .onItem().transformToUniAndConcatenate(id -> repository.requireForUpdate(connection, tenantId, id)
                        .chain(current -> create(connection, fromDeployment(current))))
                .collect().last()
                .replaceWithVoid();
    }

    /** Interrupts revisions in progress and revokes the tracing key of a deleted deployment. */
    Uni<Void> cancelAll(SqlConnection connection, Deployment current, String why) {
        return revisions.interrupt(connection, current.tenantId(), current.id(), why)
                .chain(() -> platformSecrets.revoke(connection, current.tenantId(), current.id()));
    }

    private NewRevision fromDeployment(Deployment current) {
        return new NewRevision(current.tenantId(), current.id(), current.specification().source(),
                current.specification().deploymentSource(),
                current.specification().revisionSource(), secrets(current));
    }

    private Map<String, String> secrets(Deployment current) {
        return encryptor.decrypt(current.specification().secrets(), current.tenantId(), current.id());
    }

    private static void requireNotDeleted(Deployment current) {
        if (current.deleted()) {
            throw ProblemException.conflict("The deployment " + current.id() + " is being deleted.");
        }
    }
}
