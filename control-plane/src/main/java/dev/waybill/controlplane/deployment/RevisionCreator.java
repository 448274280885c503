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
import dev.waybill.controlplane.deployment.validation.InstallationPolicy;
import dev.waybill.controlplane.quota.QuotaService;
import dev.waybill.controlplane.revision.EnvironmentEncryptor;
import dev.waybill.controlplane.revision.NewRevision;
import dev.waybill.controlplane.revision.Revision;
import dev.waybill.controlplane.revision.RevisionService;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Makes and ends revisions of deployments, in the transaction of whoever holds the deployment's row. */
@Singleton
class RevisionCreator {

    private final DeploymentRepository repository;
    private final RevisionService revisions;
    private final EnvironmentEncryptor safe;
    private final TracingKeys keys;
    private final InstallationPolicy installation;
    private final QuotaService quotas;

    RevisionCreator(DeploymentRepository repository, RevisionService revisions, EnvironmentEncryptor safe, TracingKeys keys,
            InstallationPolicy installation, QuotaService quotas) {
        this.repository = repository;
        this.revisions = revisions;
        this.safe = safe;
        this.keys = keys;
        this.installation = installation;
        this.quotas = quotas;
    }

    /** A revision of that, with what its application needs of ours. */
    Uni<Revision> make(SqlConnection connection, NewRevision revision) {
        return keys.give(connection, revision.tenantId(), revision.deploymentId())
                .chain(() -> revisions.create(connection, revision));
    }

    /** Whether the request would change how the deployment is built or run; 409 or 422 when it cannot be changed so. */
    boolean isDifferent(Deployment present, UpdateDeploymentRequest request) {
        return checked(present, request).changed();
    }

    /**
     * Changes the deployment and makes a revision of it, {@code always} or when the change makes a difference.
     *
     * @return the deployment's latest revision
     */
    Uni<UUID> change(SqlConnection connection, Deployment present, UpdateDeploymentRequest request, boolean always) {
        DeploymentPatch change = checked(present, request);
        if (!change.changed() && !always) {
            return Uni.createFrom().item(present.latestRevisionId());
        }
        return requireWithin(connection, present, request.sourceOrEmpty().resourceSpec())
                .chain(() -> repository.change(connection, present, change))
                .chain(() -> make(connection,
                        new NewRevision(present.tenantId(), present.id(), present.want().source(), change.deploymentSource(),
                                change.revisionSource(), change.secrets())))
                .map(Revision::id);
    }

    private DeploymentPatch checked(Deployment present, UpdateDeploymentRequest request) {
        requireAlive(present);
        List<Violation> violations = new ArrayList<>(DeploymentPatch.violations(present, request));
        violations.addAll(installation.violations(DeploymentPatch.newCustomUrl(present, request),
                DeploymentPatch.newImage(present, request)));
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations);
        }
        return DeploymentPatch.of(present, secrets(present), request);
    }

    // What the deployment has already it keeps, also when its plan has become a smaller one.
    private Uni<Void> requireWithin(SqlConnection connection, Deployment present, @Nullable ResourceSpec asked) {
        return asked == null || asked.equals(present.want().deploymentSource().resourceSpec()) ? Uni.createFrom().voidItem()
                : quotas.find(connection, present.tenantId())
                        .invoke(quota -> quota.requireWithin(asked))
                        .replaceWithVoid();
    }

    /** A revision of an earlier one's source, at the same commit, with the secrets that the deployment has now. */
    Uni<Revision> repeat(SqlConnection connection, Deployment present, Revision earlier) {
        requireAlive(present);
        return requireWithin(connection, present, earlier.deploymentSource().resourceSpec())
                .chain(() -> make(connection, new NewRevision(present.tenantId(), present.id(), earlier.source(),
                        earlier.deploymentSource(), earlier.revisionSource(), secrets(present))));
    }

    /** A revision of each as it is wanted, of what its reference names by now. */
    Uni<Void> buildAgain(SqlConnection connection, UUID tenantId, List<UUID> deployments) {
        return Multi.createFrom().iterable(deployments)
                .onItem().transformToUniAndConcatenate(id -> repository.requireForUpdate(connection, tenantId, id)
                        .chain(present -> make(connection, asWanted(present))))
                .collect().last()
                .replaceWithVoid();
    }

    /** Ends what is under way of a deployment that was deleted, and what its application may do. */
    Uni<Void> endAll(SqlConnection connection, Deployment present, String why) {
        return revisions.interrupt(connection, present.tenantId(), present.id(), why)
                .chain(() -> keys.revoke(connection, present.tenantId(), present.id()));
    }

    private NewRevision asWanted(Deployment present) {
        return new NewRevision(present.tenantId(), present.id(), present.want().source(), present.want().deploymentSource(),
                present.want().revisionSource(), secrets(present));
    }

    private Map<String, String> secrets(Deployment present) {
        return safe.open(present.want().secrets(), present.tenantId(), present.id());
    }

    private static void requireAlive(Deployment present) {
        if (present.deleted()) {
            throw ProblemException.conflict("The deployment " + present.id() + " is being deleted.");
        }
    }
}
