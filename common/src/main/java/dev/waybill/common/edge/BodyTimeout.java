package dev.waybill.common.edge;

import java.time.Duration;
import java.util.Set;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.ProblemResponses;
import dev.waybill.common.problem.RequestSizeLimit;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;

/**
 * Lets go of clients whose bodies do not come to an end: a byte now and then keeps a connection from being idle, and each such
 * request would hold its memory and its place among those under way for as long as its client likes.
 */
@Singleton
public class BodyTimeout {

    private static final int AFTER_RATE_LIMIT = 970;
    /** In HTTP/2 no head tells whether a body follows whose length is not announced. */
    private static final Set<HttpMethod> WITH_BODIES = Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH);
    private static final String TIMER = BodyTimeout.class.getName();

    private final RequestsConfig config;
    private final RequestSizeLimit limit;
    private final ProblemResponses answers;

    BodyTimeout(RequestsConfig config, RequestSizeLimit limit, ProblemResponses answers) {
        if (config.bodyTime().toMillis() < 1 || config.bodyRate().asLongValue() < 1) {
            throw new IllegalStateException(
                    "waybill.requests.body-time and waybill.requests.body-rate must be more than nothing");
        }
        this.config = config;
        this.limit = limit;
        this.answers = answers;
    }

    /** The request's body is there; what else is done for it takes as long as it takes. */
    public static void arrived(RoutingContext request) {
        Long timer = request.remove(TIMER);
        if (timer != null) {
            request.vertx().cancelTimer(timer);
        }
    }

    void register(@Observes Filters filters) {
        filters.register(this::watch, AFTER_RATE_LIMIT);
    }

    private void watch(RoutingContext request) {
        long bytes = expected(request.request());
        // A request that is led to another path comes by again.
        if (bytes > 0 && request.get(TIMER) == null) {
            request.put(TIMER, request.vertx().setTimer(allowed(bytes).toMillis(), ignored -> look(request)));
            request.addEndHandler(ignored -> arrived(request));
        }
        request.next();
    }

    private void look(RoutingContext request) {
        if (request.request().isEnded() || request.response().ended()) {
            return;
        }
        if (request.response().headWritten()) {
            request.request().connection().close();
            return;
        }
        if (request.request().version() != HttpVersion.HTTP_2) {
            request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        request.addEndHandler(ignored -> request.request().connection().close());
        answers.send(request, new ProblemException(CommonProblem.REQUEST_TIMEOUT,
                "The body did not arrive in time; send it faster, or less at once."));
    }

    private Duration allowed(long bytes) {
        return config.bodyTime().plusSeconds(bytes / config.bodyRate().asLongValue());
    }

    /** How many bytes are to come; of a body whose length is not told, as many as there may be. */
    private long expected(HttpServerRequest request) {
        if (request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null) {
            return limit.bytes();
        }
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length == null && request.version() == HttpVersion.HTTP_2 && WITH_BODIES.contains(request.method())) {
            return limit.bytes();
        }
        try {
            return length == null ? 0 : Math.min(Long.parseLong(length.strip()), limit.bytes());
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
