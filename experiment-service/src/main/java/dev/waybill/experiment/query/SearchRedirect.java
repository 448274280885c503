package dev.waybill.experiment.query;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/**
 * Redirects a search that has found no run yet to its continuation. The public clients end at an empty page, but follow
 * redirects with the same body.
 */
public final class SearchRedirect {

    private SearchRedirect() {
    }

    /**
     * Responds with the page.
     *
     * @param next cursor to redirect to; null for a page that the client accepts
     */
    public static <T> RestResponse<T> respond(T page, @Nullable String next) {
        // The location is relative to the request, whatever prefix a proxy removed from its path.
        return next == null ? RestResponse.ok(page)
                : RestResponse.ResponseBuilder.create(Response.Status.TEMPORARY_REDIRECT, page)
                        .header(HttpHeaders.LOCATION, "query?cursor=" + next)
                        .build();
    }
}
