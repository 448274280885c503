package dev.waybill.common.edge;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/**
 * Adds security headers to every response: {@code Cache-Control: no-store} because responses contain keys and customers'
 * traces, unless the operation sets another value; {@code X-Content-Type-Options: nosniff}; and HSTS over TLS.
 */
@Singleton
class SecurityHeaders {

    private static final int AFTER_REQUEST_IDS = 985;
    private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
    private static final CharSequence CONTENT_TYPE_OPTIONS = HttpHeaders.createOptimized("X-Content-Type-Options");
    private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
    private static final String HSTS_ONE_YEAR = "max-age=31536000";

    void register(@Observes Filters filters) {
        filters.register(SecurityHeaders::add, AFTER_REQUEST_IDS);
    }

    private static void add(RoutingContext request) {
        HttpServerResponse response = request.response();
        response.putHeader(CONTENT_TYPE_OPTIONS, NOSNIFF);
        // The OpenAPI description and the Swagger UI are the same for every client.
        if (!request.normalizedPath().startsWith("/q/")) {
            request.addHeadersEndHandler(ignored -> {
                if (!response.headers().contains(HttpHeaders.CACHE_CONTROL)) {
                    response.putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE);
                }
            });
        }
        if (request.request().isSSL()) {
            response.putHeader("Strict-Transport-Security", HSTS_ONE_YEAR);
        }
        request.next();
    }
}
