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

/** Maps every exception of a request to a problem detail. Logs server errors in full and returns a generic message for them. */
@Singleton
class ProblemMappers {

    private static final Logger LOG = Logger.getLogger(ProblemMappers.class);
    private static final String NO_KEY = "Send a valid API key in the header X-Api-Key.";

    private final RoutingContext request;
    private final UnknownRouteLog unknownRoutes;

    ProblemMappers(RoutingContext request, UnknownRouteLog unknownRoutes) {
        this.request = request;
        this.unknownRoutes = unknownRoutes;
    }

    @ServerExceptionMapper
    Response problem(ProblemException problem) {
        return respond(problem);
    }

    @ServerExceptionMapper
    Response unauthorized(UnauthorizedException ignored) {
        return respond(new ProblemException(CommonProblem.UNAUTHENTICATED, NO_KEY));
    }

    @ServerExceptionMapper
    Response authenticationFailed(AuthenticationFailedException failure) {
        return failure.getCause() instanceof ProblemException problem
                ? respond(problem)
                : respond(new ProblemException(CommonProblem.UNAUTHENTICATED, NO_KEY));
    }

    @ServerExceptionMapper
    Response forbidden(ForbiddenException failure) {
        return failure.getCause() instanceof ProblemException problem
                ? respond(problem)
                : respond(new ProblemException(CommonProblem.FORBIDDEN, "The API key's role does not allow this."));
    }

    @ServerExceptionMapper
    Response constraints(ConstraintViolationException failure) {
        return respond(ProblemException.invalid(Violations.from(failure.getConstraintViolations())));
    }

    @ServerExceptionMapper
    Response json(JsonProcessingException failure) {
        LOG.debug("a JSON document could not be read", failure);
        return respond(new ProblemException(CommonProblem.MALFORMED_REQUEST, "The body is not well-formed JSON."));
    }

    @ServerExceptionMapper
    Response http(WebApplicationException failure) {
        int status = status(failure.getResponse().getStatus());
        if (status < 400) {
            return failure.getResponse();
        }
        if (status == 404 && failure.getCause() instanceof IllegalArgumentException conversion) {
            List<Violation> malformed = MalformedQueryParameters.malformed(request.queryParams(), request.normalizedPath(),
                    conversion);
            if (!malformed.isEmpty()) {
                return respond(ProblemException.invalid(malformed));
            }
        }
        if (status >= 500) {
            LOG.errorf(failure, "a request failed: %s %s", request.request().method(), request.normalizedPath());
        }
        if (status == 404 || status == 405) {
            unknownRoutes.log(status, request.request().method().name(), request.normalizedPath());
        }
        Response response = respond(new ProblemException(CommonProblem.ofStatus(status), sentence(status)));
        return status == 405
                ? Response.fromResponse(response)
                        .header(HttpHeaders.ALLOW, String.join(", ", AllowedMethods.ofCurrentRequest())).build()
                : response;
    }

    @ServerExceptionMapper
    @Priority(Priorities.USER + 1)
    Response unexpected(Throwable failure) {
        Optional<String> outage = DatabaseOutage.reason(failure);
        if (outage.isPresent()) {
            LOG.warnf("the database is unavailable, so a request failed: %s %s: %s", request.request().method(),
                    request.normalizedPath(), outage.get());
            return respond(ProblemResponses.databaseUnavailable());
        }
        LOG.errorf(failure, "a request failed: %s %s", request.request().method(), request.normalizedPath());
        return respond(new ProblemException(CommonProblem.INTERNAL,
                "An internal error occurred; quote the request id when you ask for help."));
    }

    /** Routing returns 404 instead of 405 if a second resource class shares the beginning of the path. */
    private int status(int routed) {
        if (routed != 404) {
            return routed;
        }
        Set<String> allowed = AllowedMethods.ofCurrentRequest();
        return allowed.size() > 1 && !allowed.contains(request.request().method().name()) ? 405 : 404;
    }

    private String sentence(int status) {
        return switch (status) {
            case 404 -> "No resource exists at " + request.normalizedPath() + ".";
            case 405 -> "This address does not support the method; see Allow.";
            case 406 -> "This operation cannot respond with any of the media types in Accept.";
            case 413 -> "The body is larger than allowed; split it into several requests.";
            case 415 -> "The media type of the body is not supported; send application/json.";
            default -> status >= 500
                    ? "An internal error occurred; quote the request id when you ask for help."
                    : "The request cannot be understood.";
        };
    }

    private Response respond(ProblemException problem) {
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
