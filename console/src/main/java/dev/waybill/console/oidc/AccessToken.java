package dev.waybill.console.oidc;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;

/** Reads access tokens without verifying them: the services do that with each request. */
final class AccessToken {

    private static final int PARTS = 3;

    private AccessToken() {
    }

    /** Returns when the token expires; empty if it is no JSON Web Token with the claim {@code exp}. */
    static Optional<Instant> expiry(String token) {
        String[] parts = token.split("\\.", -1);
        if (parts.length != PARTS || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            return Optional.empty();
        }
        try {
            JsonObject claims = new JsonObject(
                    new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8));
            return claims.getValue("exp") instanceof Number seconds ? Optional.of(Instant.ofEpochSecond(seconds.longValue()))
                    : Optional.empty();
        } catch (IllegalArgumentException | DecodeException | DateTimeException e) {
            return Optional.empty();
        }
    }
}
