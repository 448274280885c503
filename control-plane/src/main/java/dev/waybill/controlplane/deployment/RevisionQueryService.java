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
import dev.waybill.controlplane.revision.RevisionConfig;
import dev.waybill.controlplane.revision.RevisionService;
import io.smallrye.mutiny.Uni;

/** Revisions for those who poll: with tags, and as waiting that ends by itself. */
@Singleton
class RevisionQueryService {

    private static final Pattern WAIT = Pattern.compile("([0-9]{1,9})(ms|s|m)?");
    private static final int ASK_AGAIN_AFTER_SECONDS = 1;

    private final RevisionService revisions;
    private final DeploymentService deployments;
    private final RevisionConfig config;

    RevisionQueryService(RevisionService revisions, DeploymentService deployments, RevisionConfig config) {
        this.revisions = revisions;
        this.deployments = deployments;
        this.config = config;
    }

    /** The deployment's, newest first; 404 when there is no such deployment. */
    Uni<Slice<RevisionResponse>> list(UUID tenantId, UUID deploymentId, DeploymentFilter.Revisions filter) {
        return deployments.get(tenantId, deploymentId)
                .chain(() -> revisions.list(tenantId, deploymentId, filter.statuses(), filter.page()));
    }

    /** The revision as it is now, or as it is when waiting has an end. */
    Uni<RestResponse<RevisionResponse>> get(UUID tenantId, UUID deploymentId, UUID id, @Nullable String wait,
            IfNoneMatch known) {
        Duration time = wait(wait);
        Uni<Revision> found = time.isZero()
                ? revisions.get(tenantId, deploymentId, id)
                : revisions.get(tenantId, deploymentId, id, time,
                        revision -> known.isEmpty() ? revision.isSettled() : !known.contains(revision.tag()));
        return found.map(revision -> answer(revision, known));
    }

    private static RestResponse<RevisionResponse> answer(Revision revision, IfNoneMatch known) {
        RestResponse.ResponseBuilder<RevisionResponse> answer = known.contains(revision.tag())
                ? RestResponse.ResponseBuilder.create(Response.Status.NOT_MODIFIED)
                : RestResponse.ResponseBuilder.ok(revision.toResponse());
        answer.header(HttpHeaders.ETAG, revision.tag())
                .header(HttpHeaders.CACHE_CONTROL, "private, no-cache");
        if (!revision.isSettled()) {
            answer.header(HttpHeaders.RETRY_AFTER, ASK_AGAIN_AFTER_SECONDS);
        }
        return answer.build();
    }

    private Duration wait(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return Duration.ZERO;
        }
        Matcher wait = WAIT.matcher(text.strip());
        if (wait.matches()) {
            long number = Long.parseLong(wait.group(1));
            Duration asked = switch (wait.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "m" -> Duration.ofMinutes(number);
                case null, default -> Duration.ofSeconds(number);
            };
            if (asked.compareTo(config.longestWait()) <= 0) {
                return asked;
            }
        }
        throw ProblemException.invalid(Violation.of("wait",
                "must be a time such as 30s, at most " + config.longestWait().toSeconds() + "s", "invalid"));
    }
}
