package dev.waybill.console.http;

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
        boolean isPage = isPage(request.response().getStatusCode(), headers);
        headers.set("Content-Security-Policy", isPage ? PAGE_POLICY : CONTENT_POLICY)
                .set("X-Content-Type-Options", "nosniff")
                .set("Referrer-Policy", "no-referrer")
                .set("Cross-Origin-Opener-Policy", "same-origin")
                .set("Cross-Origin-Resource-Policy", "same-origin")
                .set("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
        if (path.startsWith(ASSETS) && request.response().getStatusCode() == 200) {
            // The names of these files contain their hashes.
            headers.set("Cache-Control", "public, max-age=31536000, immutable");
        } else if (isPage) {
            headers.set("Cache-Control", "no-cache");
        } else if (!headers.contains("Cache-Control")) {
            headers.set("Cache-Control", "no-store");
        }
        if (request.request().isSSL() || "https".equals(request.request().scheme())) {
            headers.set("Strict-Transport-Security", HSTS_ONE_YEAR);
        }
    }

    /** Only the application's own page is HTML: the proxy marks the responses of services. */
    private static boolean isPage(int status, MultiMap headers) {
        String type = headers.get("Content-Type");
        return status == 200 && type != null && type.startsWith("text/html") && !headers.contains("X-Waybill-Service");
    }
}
