package dev.waybill.common.security;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

import io.vertx.ext.web.RoutingContext;

/** Reads the API key or token of a request. */
public final class PresentedKey {

    private static final String BEARER = "bearer ";
    private static final String AUTHENTICATED = PresentedKey.class.getName() + ".authenticated";

    private PresentedKey() {
    }

    /** Returns the text of {@code X-Api-Key}, else of {@code Authorization: Bearer}, else null; it is secret. */
    public static @Nullable String of(RoutingContext request) {
        String key = request.request().getHeader("X-Api-Key");
        if (key != null && !key.isBlank()) {
            return key.strip();
        }
        String authorization = request.request().getHeader("Authorization");
        return authorization != null && authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)
                ? authorization.substring(BEARER.length()).strip()
                : null;
    }

    /** Records that the caller of the request is authenticated. */
    public static void markAuthenticated(RoutingContext request) {
        request.put(AUTHENTICATED, true);
    }

    /** Returns whether the caller of the request was authenticated before. */
    public static boolean isAuthenticated(RoutingContext request) {
        return request.get(AUTHENTICATED) != null;
    }
}
