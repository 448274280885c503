package dev.waybill.common.problem;

import java.util.Set;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.waybill.common.logging.RequestIds;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * Responds to requests that the router refuses before any filter sees them, without a valid host or path: the router's own
 * response is no problem detail, and an error in the log, which anybody could fill with them.
 */
@Singleton
class MissingHostHandler {

    private static final int MALFORMED = 400;
    private static final int NOT_FOUND = 404;
    /** Not counted by the HTTP metrics, as long as they have no template. */
    private static final Set<String> HEALTH = Set.of("/q/health", "/q/health/live", "/q/health/ready", "/q/health/started");

    private final RequestIds ids;
    private final ProblemResponses answers;

    MissingHostHandler(RequestIds ids, ProblemResponses answers) {
        this.ids = ids;
        this.answers = answers;
    }

    void register(@Observes Router router) {
        router.route().order(Integer.MIN_VALUE).handler(this::begin).failureHandler(this::answer);
    }

    private void begin(RoutingContext request) {
        label(request);
        request.next();
    }

    private void answer(RoutingContext request) {
        if (RequestIds.of(request) != null || request.statusCode() != MALFORMED && request.statusCode() != NOT_FOUND) {
            request.next();
            return;
        }
        label(request);
        respond(request, request.statusCode() == MALFORMED
                ? new ProblemException(CommonProblem.MALFORMED_REQUEST,
                        "The request names no valid host: HTTP/1.1 asks for one Host header, HTTP/2 for :authority.")
                : new ProblemException(CommonProblem.NOT_FOUND, "The address must be a path that begins with /."));
    }

    private void respond(RoutingContext request, ProblemException problem) {
        ids.give(request);
        request.response().putHeader("X-Content-Type-Options", "nosniff").putHeader("Cache-Control", "no-store");
        answers.send(request, problem, "/");
    }

    private static void label(RoutingContext request) {
        if (!HEALTH.contains(request.request().path())) {
            OperationLabels.begin(request);
        }
    }
}
