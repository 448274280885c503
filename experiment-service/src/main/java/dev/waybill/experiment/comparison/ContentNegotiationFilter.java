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
 * Routes requests that prefer CSV of a comparison, or Markdown of a gate, to the address that responds with it;
 * {@code ?format=csv}
 * is for clients that cannot set a header. Two methods at one address would make the framework choose before it authenticates.
 */
class ContentNegotiationFilter {

    private static final Map<String, String> FORMS = Map.of("comparison", "csv", "gate", "markdown");

    @ServerRequestFilter(preMatching = true)
    public void lead(ContainerRequestContext request) {
        UriInfo uri = request.getUriInfo();
        String path = uri.getPath();
        String form = path.startsWith("/api/v1/datasets/") ? FORMS.get(path.substring(path.lastIndexOf('/') + 1)) : null;
        if (form != null && isAccepted(request, form)) {
            URI formAddress = uri.getRequestUriBuilder().path(form).build();
            request.setRequestUri(formAddress);
            request.getHeaders().putSingle(HttpHeaders.ACCEPT, "text/" + form);
        }
    }

    private static boolean isAccepted(ContainerRequestContext request, String form) {
        return form.equals(request.getUriInfo().getQueryParameters().getFirst("format"))
                || prefers(request.getHeaders().get(HttpHeaders.ACCEPT), form);
    }

    private static boolean prefers(@Nullable List<String> accept, String form) {
        try {
            return AcceptHeader.parse(accept).prefers(new MediaType("text", form), MediaType.APPLICATION_JSON_TYPE);
        } catch (ProblemException e) {
            // Rejected once the caller is known.
            return false;
        }
    }
}
