package dev.waybill.common.problem;

import java.util.Set;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.waybill.common.logging.RequestIds;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * Responds to requests without a valid host or path, which the router rejects before any filter runs. The router's own response
 * is not a problem detail, and it logs an error each time, which would let any client fill the log.
 */
@Singleton
class MissingHostHandler {

    private static final int MALFORMED = 400;
    private static final int NOT_FOUND = 404;
    /** Paths that the HTTP metrics ignore as long as they have no template. */
    private static final Set<String> HEALTH = Set.of("/q/health", "/q/health/live", "/q/health/ready", "/q/health/started");

    private final RequestIds ids;
    private final ProblemResponses responses;

    MissingHostHandler(RequestIds ids, ProblemResponses responses) {
        this.ids = ids;
        this.responses = responses;
    }

    void register(@Observes Router router) {
        router.route().order(Integer.MIN_VALUE).handler(this::begin).failureHandler(this::respond);
    }

    private void begin(RoutingContext request) {
        label(request);
        String host = request.request().getHeader(HttpHeaders.HOST);
        // Behind a proxy, Quarkus adds an empty host to requests of HTTP/1.0 without one, as the images' health checks send.
        if (host != null && host.isBlank() && request.request().version() != HttpVersion.HTTP_1_0) {
            respond(request, noHost());
        } else {
            request.next();
        }
    }

    private static ProblemException noHost() {
        return new ProblemException(CommonProblem.MALFORMED_REQUEST,
                "The request has no valid host: send one Host header (HTTP/1.1) or :authority (HTTP/2).");
    }

    private void respond(RoutingContext request) {
        if (RequestIds.of(request) != null || request.statusCode() != MALFORMED && request.statusCode() != NOT_FOUND) {
            request.next();
            return;
        }
        label(request);
        respond(request, request.statusCode() == MALFORMED ? noHost()
                : new ProblemException(CommonProblem.NOT_FOUND, "The request target must be a path that begins with /."));
    }

    private void respond(RoutingContext request, ProblemException problem) {
        ids.assign(request);
        request.response().putHeader("X-Content-Type-Options", "nosniff").putHeader("Cache-Control", "no-store");
        responses.send(request, problem, "/");
    }

    private static void label(RoutingContext request) {
        if (!HEALTH.contains(request.request().path())) {
            OperationLabels.begin(request);
        }
    }
}
