package dev.waybill.common.problem;

import java.time.Duration;
import java.util.OptionalLong;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.logging.RequestIds;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/** Sends problems for requests that do not reach the framework's exception mappers. */
@Singleton
public class ProblemResponses {

    /** Default {@code Retry-After} of a 503. */
    private static final Duration DEFAULT_RETRY_AFTER = Duration.ofSeconds(5);

    private final ObjectMapper mapper;

    public ProblemResponses(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /** Ends the request with the problem. */
    public void send(RoutingContext request, ProblemException problem) {
        send(request, problem, request.normalizedPath());
    }

    /** Ends a request whose path cannot be normalized with the problem. */
    void send(RoutingContext request, ProblemException problem, String instance) {
        Problem body = Problem.from(problem, instance, RequestIds.of(request));
        HttpServerResponse response = request.response()
                .setStatusCode(body.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE);
        retryAfterSeconds(problem)
                .ifPresent(seconds -> response.putHeader("Retry-After", String.valueOf(seconds)));
        response.end(Buffer.buffer(json(body)));
    }

    /** Returns the 503 for a request that fails because of a database outage. */
    public static ProblemException databaseUnavailable() {
        return new ProblemException(CommonProblem.UNAVAILABLE,
                "The database of this service is unavailable; retry after the number of seconds in Retry-After.");
    }

    /** Returns the value of {@code Retry-After}; every 503 has one. */
    static OptionalLong retryAfterSeconds(ProblemException problem) {
        Duration pause = problem.retryAfter();
        if (pause == null) {
            return problem.type().status() == CommonProblem.UNAVAILABLE.status()
                    ? OptionalLong.of(DEFAULT_RETRY_AFTER.toSeconds())
                    : OptionalLong.empty();
        }
        return OptionalLong.of(Math.max(1, pause.toSeconds()));
    }

    /**
     * Returns the serialized problem, for responses that are created without the framework.
     *
     * @param instance path of the request
     */
    public byte[] bytes(ProblemException problem, String instance, String requestId) {
        return json(Problem.from(problem, instance, requestId));
    }

    private byte[] json(Problem problem) {
        try {
            return mapper.writeValueAsBytes(problem);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a problem can always be written as JSON", e);
        }
    }
}
