package dev.waybill.console.http;

import java.util.List;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;

/** Adds security headers to every response. Content of customers that the proxy returns is never executed: it is sandboxed. */
@Singleton
class SecurityHeaders {

    /** For pages: only own scripts and styles, no frames, no markup from strings. */
    static final String PAGE_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
            + "require-trusted-types-for 'script'; trusted-types 'none'";
    /** For responses of services, which can contain files of customers. */
    static final String CONTENT_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

    private static final int FIRST = 1000;
    private static final String HSTS_ONE_YEAR = "max-age=31536000";
    private static final String ASSETS = "/assets/";
    private static final List<String> SERVICE_PATHS = List.of("/v1", "/v2", "/api", "/run", "/session", "/q/");

    void register(@Observes Filters filters) {
        filters.register(SecurityHeaders::addAtEnd, FIRST);
    }

    private static void addAtEnd(RoutingContext request) {
        request.addHeadersEndHandler(ignored -> add(request));
        request.next();
    }

    private static void add(RoutingContext request) {
        MultiMap headers = request.response().headers();
        String path = request.normalizedPath();
        int status = request.response().getStatusCode();
        boolean isOwnFile = SERVICE_PATHS.stream().noneMatch(path::startsWith);
        headers.set("Content-Security-Policy", isOwnFile ? PAGE_POLICY : CONTENT_POLICY)
                .set("X-Content-Type-Options", "nosniff")
                .set("Referrer-Policy", "no-referrer")
                .set("Cross-Origin-Opener-Policy", "same-origin")
                .set("Cross-Origin-Resource-Policy", "same-origin")
                .set("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
        // 304 updates the stored headers of a page, so it has the same ones as 200.
        if (isOwnFile && (status == 200 || status == 304)) {
            // The names of assets contain their hashes.
            headers.set("Cache-Control", path.startsWith(ASSETS) ? "public, max-age=31536000, immutable" : "no-cache");
        } else if (!headers.contains("Cache-Control")) {
            headers.set("Cache-Control", "no-store");
        }
        if (request.request().isSSL() || "https".equals(request.request().scheme())) {
            headers.set("Strict-Transport-Security", HSTS_ONE_YEAR);
        }
    }
}
