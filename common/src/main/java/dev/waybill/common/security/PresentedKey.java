package dev.waybill.common.security;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

import io.vertx.ext.web.RoutingContext;

/** Where a request carries its key or token (interface.md section 5, contract.md "Accounts and keys"). */
public final class PresentedKey {

    private static final String BEARER = "bearer ";
    private static final String VALID = PresentedKey.class.getName() + ".valid";

    private PresentedKey() {
    }

    /** The text of {@code X-Api-Key}, else of {@code Authorization: Bearer}, else null; it is secret. */
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

    /** Notes that the caller of the request is authenticated. */
    public static void noteValid(RoutingContext request) {
        request.put(VALID, true);
    }

    /** Returns whether the caller of the request was authenticated so far. */
    public static boolean isValid(RoutingContext request) {
        return request.get(VALID) != null;
    }
}
