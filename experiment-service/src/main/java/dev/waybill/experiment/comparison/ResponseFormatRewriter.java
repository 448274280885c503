package dev.waybill.experiment.comparison;

import java.net.URI;
import java.util.List;
import java.util.Map;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.negotiation.AcceptHeader;
import dev.waybill.common.problem.ProblemException;

/**
 * Rewrites the path of requests that prefer CSV of a comparison or Markdown of a gate; {@code ?format=csv} serves
 * clients that cannot set a header. With two methods on one path, the framework would negotiate before it
 * authenticates.
 */
class ResponseFormatRewriter {

    private static final Map<String, String> FORMAT_BY_OPERATION = Map.of("comparison", "csv", "gate", "markdown");

    @ServerRequestFilter(preMatching = true)
    public void rewritePath(ContainerRequestContext request) {
        UriInfo uri = request.getUriInfo();
        String path = uri.getPath();
        String format = path.startsWith("/api/v1/datasets/")
                ? FORMAT_BY_OPERATION.get(path.substring(path.lastIndexOf('/') + 1))
                : null;
        if (format != null && isAccepted(request, format)) {
            URI formatUri = uri.getRequestUriBuilder().path(format).build();
            request.setRequestUri(formatUri);
            request.getHeaders().putSingle(HttpHeaders.ACCEPT, "text/" + format);
        }
    }

    private static boolean isAccepted(ContainerRequestContext request, String format) {
        return format.equals(request.getUriInfo().getQueryParameters().getFirst("format"))
                || prefers(request.getHeaders().get(HttpHeaders.ACCEPT), format);
    }

    private static boolean prefers(@Nullable List<String> accept, String format) {
        try {
            return AcceptHeader.parse(accept).prefers(new MediaType("text", format), MediaType.APPLICATION_JSON_TYPE);
        } catch (ProblemException e) {
            // The header is rejected after authentication.
            return false;
        }
    }
}
