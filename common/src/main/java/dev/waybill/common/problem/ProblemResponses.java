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

/** Responds with problems ahead of the framework that would map them. */
@Singleton
public class ProblemResponses {

    /** After which clients of a service that is unavailable retry, unless the problem says otherwise. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final ObjectMapper mapper;

    public ProblemResponses(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /** Ends the request with the problem. */
    public void send(RoutingContext request, ProblemException problem) {
        send(request, problem, request.normalizedPath());
    }

    /** Ends the request with the problem, where its path cannot be normalized. */
    void send(RoutingContext request, ProblemException problem, String instance) {
        Problem body = Problem.from(problem, instance, RequestIds.of(request));
        HttpServerResponse response = request.response()
                .setStatusCode(body.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE);
        retryAfterSeconds(problem)
                .ifPresent(seconds -> response.putHeader("Retry-After", String.valueOf(seconds)));
        response.end(Buffer.buffer(json(body)));
    }

    /** Returns the 503 for a request that needs the database while that is away. */
    public static ProblemException databaseUnavailable() {
        return new ProblemException(CommonProblem.UNAVAILABLE,
                "The database of this service is unavailable; send the same request again after the pause that Retry-After names.");
    }

    /** Returns the value of {@code Retry-After}; every 503 has one. */
    static OptionalLong retryAfterSeconds(ProblemException problem) {
        Duration pause = problem.retryAfter();
        if (pause == null) {
            return problem.type().status() == CommonProblem.UNAVAILABLE.status() ? OptionalLong.of(PAUSE.toSeconds())
                    : OptionalLong.empty();
        }
        return OptionalLong.of(Math.max(1, pause.toSeconds()));
    }

    /**
     * Returns the problem as it goes over the wire, for responses that are made without the framework.
     *
     * @param instance the path that was requested
     */
    public byte[] bytes(ProblemException problem, String instance, String requestId) {
        return json(Problem.from(problem, instance, requestId));
    }

    private byte[] json(Problem problem) {
        try {
            return mapper.writeValueAsBytes(problem);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a problem is always JSON", e);
        }
    }
}
