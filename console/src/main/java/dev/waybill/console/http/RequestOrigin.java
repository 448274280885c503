package dev.waybill.console.http;

import java.net.URI;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;

/** Recognizes requests that another site makes a browser send (cross-site request forgery). */
public final class RequestOrigin {

    /** Header that the application adds to every request; forms and links of other sites cannot add it. */
    public static final String HEADER = "X-Waybill-Console";

    private static final Set<HttpMethod> SAFE = Set.of(HttpMethod.GET, HttpMethod.HEAD);
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

    private RequestOrigin() {
    }

    /** Returns whether the request only reads. */
    public static boolean isSafe(HttpServerRequest request) {
        return SAFE.contains(request.method());
    }

    /** Returns whether the application itself sent the request. */
    public static boolean isSameOrigin(HttpServerRequest request) {
        if (!request.headers().contains(HEADER)) {
            return false;
        }
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null) {
            return site.equals("same-origin");
        }
        String origin = request.getHeader("Origin");
        return origin != null && origin.equals(origin(request));
    }

    /** Returns whether the browser reached the console by https. */
    public static boolean isSecure(HttpServerRequest request) {
        return request.isSSL() || "https".equals(request.scheme());
    }

    /** Returns whether the browser runs on this machine, according to the host that it requested. */
    public static boolean isLoopback(HttpServerRequest request) {
        HostAndPort authority = request.authority();
        return authority != null && LOOPBACK.contains(authority.host().toLowerCase(Locale.ROOT));
    }

    private static @Nullable String origin(HttpServerRequest request) {
        HostAndPort authority = request.authority();
        if (authority == null) {
            return null;
        }
        String scheme = isSecure(request) ? "https" : "http";
        int port = authority.port();
        boolean isDefault = port <= 0 || port == (scheme.equals("https") ? 443 : 80);
        return URI.create(scheme + "://" + authority.host() + (isDefault ? "" : ":" + port)).toString();
    }
}
