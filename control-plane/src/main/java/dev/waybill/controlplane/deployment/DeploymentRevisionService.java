package dev.waybill.controlplane.deployment;

import java.time.Duration;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.DeploymentResponse;
import dev.waybill.common.api.deployment.RevisionResponse;
import dev.waybill.common.api.deployment.UpdateDeploymentRequest;
import dev.waybill.common.database.Database;
import dev.waybill.common.idempotency.CreatedResourceRecorder;
import dev.waybill.common.negotiation.IfNoneMatch;
import dev.waybill.common.page.Page;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.controlplane.revision.Revision;
import dev.waybill.controlplane.revision.RevisionService;
import io.smallrye.mutiny.Uni;

/** Creates, redeploys, interrupts and reads revisions of a deployment; reads have entity tags and long polling. */
@Singleton
class DeploymentRevisionService {

    private static final String INTERRUPTED = "It was interrupted.";
    private static final Pattern WAIT = Pattern.compile("([0-9]{1,9})(ms|s|m)?");
    private static final int RETRY_AFTER_SECONDS = 1;
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    private final Database database;
    private final DeploymentRepository repository;
    private final RevisionCreator creator;
    private final RevisionService revisions;
    private final CreatedResourceRecorder idempotency;

    DeploymentRevisionService(Database database, DeploymentRepository repository, RevisionCreator creator,
            RevisionService revisions, CreatedResourceRecorder idempotency) {
        this.database = database;
        this.repository = repository;
        this.creator = creator;
        this.revisions = revisions;
        this.idempotency = idempotency;
    }

    /** Creates a revision with the requested changes, even if nothing changes. */
    Uni<RevisionResponse> create(UUID tenantId, UUID deploymentId, UpdateDeploymentRequest request) {
        return database.inWorkspace(tenantId, connection -> repository.requireForUpdate(connection, tenantId, deploymentId)
                .chain(current -> creator.change(connection, current, request, true))
                .call(id -> idempotency.recordCreated(id, connection))
                .chain(id -> revisions.require(connection, tenantId, deploymentId, id)))
                .invoke(created -> revisions.publishChange(tenantId, deploymentId))
                .map(Revision::toResponse);
    }

    /** Creates a revision of an earlier revision's source. */
    Uni<DeploymentResponse> redeploy(UUID tenantId, UUID deploymentId, UUID id) {
        return database.inWorkspace(tenantId, connection -> repository.requireForUpdate(connection, tenantId, deploymentId)
                .chain(current -> revisions.require(connection, tenantId, deploymentId, id)
                        .chain(earlier -> creator.redeploy(connection, current, earlier)))
                .call(created -> idempotency.recordCreated(created.id(), connection))
                .chain(() -> repository.require(connection, tenantId, deploymentId)))
                .invoke(created -> revisions.publishChange(tenantId, deploymentId))
                .map(Deployment::toResponse);
    }

    /** Interrupts a revision; fails with 409 if it is not in progress. */
    Uni<RevisionResponse> interrupt(UUID tenantId, UUID deploymentId, UUID id) {
        return database.inWorkspace(tenantId, connection -> repository.requireForUpdate(connection, tenantId, deploymentId)
                .chain(() -> revisions.require(connection, tenantId, deploymentId, id))
                .invoke(DeploymentRevisionService::requireInProgress)
                .chain(() -> revisions.interrupt(connection, tenantId, deploymentId, INTERRUPTED))
                .chain(() -> revisions.require(connection, tenantId, deploymentId, id)))
                .invoke(ended -> revisions.publishChange(tenantId, deploymentId))
                .map(Revision::toResponse);
    }

    private static void requireInProgress(Revision revision) {
        if (!revision.status().isInProgress()) {
            throw ProblemException.conflict("The revision " + revision.id() + " is " + revision.status()
                    + "; only a revision in progress can be interrupted.");
        }
    }

    /** Lists the deployment's revisions, newest first; fails with 404 if the deployment does not exist. */
    Uni<Page<RevisionResponse>> list(UUID tenantId, UUID deploymentId, DeploymentFilter.Revisions filter) {
        return database.inWorkspace(tenantId, connection -> repository.require(connection, tenantId, deploymentId))
                .chain(() -> revisions.list(tenantId, deploymentId, filter.statuses(), filter.page()));
    }

    /** Returns the current revision, or waits for it to change or settle. */
    Uni<RestResponse<RevisionResponse>> get(UUID tenantId, UUID deploymentId, UUID id, @Nullable String wait,
            IfNoneMatch known) {
        Duration time = wait(wait);
        Uni<Revision> found = time.isZero()
                ? revisions.get(tenantId, deploymentId, id)
                : revisions.get(tenantId, deploymentId, id, time,
                        revision -> known.isEmpty() ? revision.isSettled() : !known.contains(revision.tag()));
        return found.map(revision -> toRestResponse(revision, known));
    }

    private static RestResponse<RevisionResponse> toRestResponse(Revision revision, IfNoneMatch known) {
        RestResponse.ResponseBuilder<RevisionResponse> response = known.contains(revision.tag())
                ? RestResponse.ResponseBuilder.create(Response.Status.NOT_MODIFIED)
                : RestResponse.ResponseBuilder.ok(revision.toResponse());
        response.header(HttpHeaders.ETAG, revision.tag())
                .header(HttpHeaders.CACHE_CONTROL, "private, no-cache");
        if (!revision.isSettled()) {
            response.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        return response.build();
    }

    private static Duration wait(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return Duration.ZERO;
        }
        Matcher wait = WAIT.matcher(text.strip());
        if (wait.matches()) {
            long number = Long.parseLong(wait.group(1));
            Duration requested = switch (wait.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "m" -> Duration.ofMinutes(number);
                case null, default -> Duration.ofSeconds(number);
            };
            if (requested.compareTo(MAX_WAIT) <= 0) {
                return requested;
            }
        }
        throw ProblemException.invalid(Violation.of("wait",
                "must be a duration such as 30s, at most " + MAX_WAIT.toSeconds() + "s", "invalid"));
    }
}
