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
 * Aborts requests whose body does not arrive in time. A client that sends a few bytes at intervals avoids the idle timeout and
 * would otherwise hold the request's memory and one of the concurrent requests indefinitely.
 */
@Singleton
public class BodyTimeout {

    private static final int AFTER_RATE_LIMIT = 970;
    /** In HTTP/2, headers do not reveal whether a body without a Content-Length follows. */
    private static final Set<HttpMethod> WITH_BODIES = Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH);
    private static final String TIMER = BodyTimeout.class.getName();

    private final RequestsConfig config;
    private final RequestSizeLimit limit;
    private final ProblemResponses responses;

    BodyTimeout(RequestsConfig config, RequestSizeLimit limit, ProblemResponses responses) {
        if (config.bodyTimeout().toMillis() < 1 || config.minBodyRate().asLongValue() < 1) {
            throw new IllegalStateException(
                    "waybill.requests.body-timeout and waybill.requests.min-body-rate must be greater than 0");
        }
        this.config = config;
        this.limit = limit;
        this.responses = responses;
    }

    /** Cancels the timeout because the body is complete. */
    public static void cancel(RoutingContext request) {
        Long timer = request.remove(TIMER);
        if (timer != null) {
            request.vertx().cancelTimer(timer);
        }
    }

    void register(@Observes Filters filters) {
        filters.register(this::startTimer, AFTER_RATE_LIMIT);
    }

    private void startTimer(RoutingContext request) {
        long bytes = expectedBytes(request.request());
        // A rerouted request passes this filter again.
        if (bytes > 0 && request.get(TIMER) == null) {
            request.put(TIMER, request.vertx().setTimer(timeout(bytes).toMillis(), ignored -> abortIfIncomplete(request)));
            request.addEndHandler(ignored -> cancel(request));
        }
        request.next();
    }

    private void abortIfIncomplete(RoutingContext request) {
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
        responses.send(request, new ProblemException(CommonProblem.REQUEST_TIMEOUT,
                "The body did not arrive in time; send it faster or send less data per request."));
    }

    private Duration timeout(long bytes) {
        return config.bodyTimeout().plusSeconds(bytes / config.minBodyRate().asLongValue());
    }

    /** Returns the number of body bytes to expect; without a Content-Length, the maximum body size. */
    private long expectedBytes(HttpServerRequest request) {
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
