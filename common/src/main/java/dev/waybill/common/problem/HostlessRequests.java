package dev.waybill.common.problem;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.waybill.common.logging.RequestIds;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * Answers requests that name no valid host: the router refuses them before any filter sees them, and its own answer is no
 * problem detail and an error in the log, which anybody could fill with them.
 */
@Singleton
class HostlessRequests {

    private static final int REFUSED = 400;

    private final RequestIds ids;
    private final ProblemAnswers answers;

    HostlessRequests(RequestIds ids, ProblemAnswers answers) {
        this.ids = ids;
        this.answers = answers;
    }

    void register(@Observes Router router) {
        router.route().order(Integer.MIN_VALUE).failureHandler(this::answer);
    }

    private void answer(RoutingContext request) {
        if (RequestIds.of(request) != null || request.statusCode() != REFUSED) {
            request.next();
            return;
        }
        ids.give(request);
        request.response().putHeader("X-Content-Type-Options", "nosniff").putHeader("Cache-Control", "no-store");
        answers.send(request, new ProblemException(CommonProblem.MALFORMED_REQUEST,
                "The request names no valid host: HTTP/1.1 asks for one Host header, HTTP/2 for :authority."));
    }
}
