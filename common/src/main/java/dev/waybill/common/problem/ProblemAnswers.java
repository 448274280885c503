package dev.waybill.common.problem;

import java.time.Duration;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.logging.RequestIds;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/** Answers problems where no resource does: ahead of the framework that would map them. */
@Singleton
public class ProblemAnswers {

    private final ObjectMapper mapper;

    public ProblemAnswers(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /** Ends the request with the problem. */
    public void send(RoutingContext request, ProblemException problem) {
        Problem body = Problem.from(problem, request.normalizedPath(), RequestIds.of(request));
        HttpServerResponse response = request.response()
                .setStatusCode(body.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE);
        Duration retryAfter = problem.retryAfter();
        if (retryAfter != null) {
            response.putHeader("Retry-After", String.valueOf(Math.max(1, retryAfter.toSeconds())));
        }
        response.end(json(body));
    }

    private Buffer json(Problem problem) {
        try {
            return Buffer.buffer(mapper.writeValueAsBytes(problem));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a problem is always JSON", e);
        }
    }
}
