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

import dev.waybill.common.api.deployment.RevisionResponse;
import dev.waybill.common.page.Slice;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.controlplane.revision.Revision;
import dev.waybill.controlplane.revision.RevisionService;
import io.smallrye.mutiny.Uni;

/** Lists and reads revisions, with entity tags and long polling. */
@Singleton
class RevisionQueryService {

    private static final Pattern WAIT = Pattern.compile("([0-9]{1,9})(ms|s|m)?");
    private static final int RETRY_AFTER_SECONDS = 1;
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    private final RevisionService revisions;
    private final DeploymentService deployments;

    RevisionQueryService(RevisionService revisions, DeploymentService deployments) {
        this.revisions = revisions;
        this.deployments = deployments;
    }

    /** Lists the deployment's revisions, newest first; fails with 404 if the deployment does not exist. */
    Uni<Slice<RevisionResponse>> list(UUID tenantId, UUID deploymentId, DeploymentFilter.Revisions filter) {
        return deployments.get(tenantId, deploymentId)
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

    private Duration wait(@Nullable String text) {
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
