package dev.waybill.experiment.comparison;

import java.net.URI;
import java.util.Locale;
import java.util.Map;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.UriInfo;

import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Leads who accepts CSV of a comparison, or Markdown of a gate, to the address that answers it; {@code ?format=csv} is for
 * those
 * who cannot set a header. Two methods at one address would make the framework fail at media types that are none.
 */
class AcceptedForms {

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
        String accepted = request.getHeaderString(HttpHeaders.ACCEPT);
        return form.equals(request.getUriInfo().getQueryParameters().getFirst("format"))
                || accepted != null && accepted.strip().toLowerCase(Locale.ROOT).startsWith("text/" + form);
    }
}
