package dev.waybill.common.problem;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import jakarta.annotation.Priority;
import jakarta.inject.Singleton;
import jakarta.validation.ConstraintViolationException;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

import com.fasterxml.jackson.core.JsonProcessingException;

import dev.waybill.common.database.DatabaseOutage;
import dev.waybill.common.logging.RequestIds;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import io.vertx.ext.web.RoutingContext;

/** Turns every failure of a request into a problem detail; server errors are logged in full and described in general. */
@Singleton
class ProblemMappers {

    private static final Logger LOG = Logger.getLogger(ProblemMappers.class);
    private static final String NO_KEY = "Send a valid API key in the header X-Api-Key.";

    private final RoutingContext request;
    private final UnknownRoutes unknownRoutes;

    ProblemMappers(RoutingContext request, UnknownRoutes unknownRoutes) {
        this.request = request;
        this.unknownRoutes = unknownRoutes;
    }

    @ServerExceptionMapper
    Response problem(ProblemException problem) {
        return answer(problem);
    }

    @ServerExceptionMapper
    Response unauthorized(UnauthorizedException ignored) {
        return answer(new ProblemException(CommonProblem.UNAUTHENTICATED, NO_KEY));
    }

    @ServerExceptionMapper
    Response authenticationFailed(AuthenticationFailedException failure) {
        return failure.getCause() instanceof ProblemException problem
                ? answer(problem)
                : answer(new ProblemException(CommonProblem.UNAUTHENTICATED, NO_KEY));
    }

    @ServerExceptionMapper
    Response forbidden(ForbiddenException failure) {
        return failure.getCause() instanceof ProblemException problem
                ? answer(problem)
                : answer(new ProblemException(CommonProblem.FORBIDDEN, "The API key's role does not allow this."));
    }

    @ServerExceptionMapper
    Response constraints(ConstraintViolationException failure) {
        return answer(ProblemException.invalid(Violations.from(failure.getConstraintViolations())));
    }

    @ServerExceptionMapper
    Response json(JsonProcessingException failure) {
        LOG.debug("a JSON document could not be read", failure);
        return answer(new ProblemException(CommonProblem.MALFORMED_REQUEST, "The body is not well-formed JSON."));
    }

    @ServerExceptionMapper
    Response http(WebApplicationException failure) {
        int status = status(failure.getResponse().getStatus());
        if (status < 400) {
            return failure.getResponse();
        }
        if (status == 404 && failure.getCause() instanceof IllegalArgumentException conversion) {
            List<Violation> malformed = QueryParameters.malformed(request.queryParams(), request.normalizedPath(), conversion);
            if (!malformed.isEmpty()) {
                return answer(ProblemException.invalid(malformed));
            }
        }
        if (status >= 500) {
            LOG.errorf(failure, "a request failed: %s %s", request.request().method(), request.normalizedPath());
        }
        if (status == 404 || status == 405) {
            unknownRoutes.log(status, request.request().method().name(), request.normalizedPath());
        }
        Response response = answer(new ProblemException(CommonProblem.ofStatus(status), sentence(status)));
        return status == 405
                ? Response.fromResponse(response)
                        .header(HttpHeaders.ALLOW, String.join(", ", AllowedMethods.ofPresentRequest())).build()
                : response;
    }

    @ServerExceptionMapper
    @Priority(Priorities.USER + 1)
    Response anythingElse(Throwable failure) {
        Optional<String> outage = DatabaseOutage.reason(failure);
        if (outage.isPresent()) {
            LOG.warnf("the database is unavailable, so a request failed: %s %s: %s", request.request().method(),
                    request.normalizedPath(), outage.get());
            return answer(ProblemResponses.databaseUnavailable());
        }
        LOG.errorf(failure, "a request failed: %s %s", request.request().method(), request.normalizedPath());
        return answer(new ProblemException(CommonProblem.INTERNAL,
                "Something went wrong on our side; quote the request id when you ask for help."));
    }

    /** Routing answers 404 to another method where a second resource class has the beginning of the path. */
    private int status(int routed) {
        if (routed != 404) {
            return routed;
        }
        Set<String> allowed = AllowedMethods.ofPresentRequest();
        return allowed.size() > 1 && !allowed.contains(request.request().method().name()) ? 405 : 404;
    }

    private String sentence(int status) {
        return switch (status) {
            case 404 -> "There is nothing at " + request.normalizedPath() + ".";
            case 405 -> "This address does not support the method; see Allow.";
            case 406 -> "None of the accepted media types can be answered here.";
            case 413 -> "The body is larger than allowed; send less at once.";
            case 415 -> "The body's media type is not understood here; send application/json.";
            default -> status >= 500
                    ? "Something went wrong on our side; quote the request id when you ask for help."
                    : "The request cannot be understood.";
        };
    }

    private Response answer(ProblemException problem) {
        Problem body = Problem.from(problem, request.normalizedPath(), RequestIds.of(request));
        Response.ResponseBuilder response = Response.status(body.status())
                .type(Problem.MEDIA_TYPE)
                .entity(body);
        ProblemResponses.retryAfterSeconds(problem)
                .ifPresent(seconds -> response.header(HttpHeaders.RETRY_AFTER, seconds));
        if (body.status() == 401) {
            response.header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
        }
        return response.build();
    }
}
