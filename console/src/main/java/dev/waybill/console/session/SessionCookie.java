package dev.waybill.console.session;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import jakarta.inject.Singleton;

import dev.waybill.console.ConsoleConfig;
import dev.waybill.console.http.RequestOrigin;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpServerRequest;

/** The cookie of a session. Over https its name has the prefix that forbids other hosts and paths to set it. */
@Singleton
public class SessionCookie {

    static final String SECURE_NAME = "__Host-waybill";
    /** For http on loopback, where browsers accept no prefix. */
    static final String LOOPBACK_NAME = "waybill";

    private final SessionCipher cipher;
    private final Duration maxAge;
    private final Clock clock;

    SessionCookie(SessionCipher cipher, ConsoleConfig config, Clock clock) {
        this.cipher = cipher;
        this.maxAge = config.session().maxAge();
        this.clock = clock;
    }

    /** Returns the session of the request; empty if there is none or if it has expired. */
    public Optional<Session> read(HttpServerRequest request) {
        Cookie cookie = request.getCookie(name(request));
        if (cookie == null) {
            return Optional.empty();
        }
        return cipher.open(cookie.getValue()).filter(session -> clock.instant().isBefore(session.expiresAt()));
    }

    /**
     * Adds the cookie of a new session to the response.
     *
     * @param keyExpiresAt when the API key expires; empty if it does not
     */
    Session start(HttpServerRequest request, String apiKey, Optional<Instant> keyExpiresAt) {
        Instant latest = clock.instant().plus(maxAge);
        Instant expiresAt = keyExpiresAt.filter(latest::isAfter).orElse(latest);
        Session session = new Session(apiKey, expiresAt);
        long seconds = Math.max(1, Duration.between(clock.instant(), expiresAt).toSeconds());
        request.response().addCookie(cookie(request, cipher.seal(session)).setMaxAge(seconds));
        return session;
    }

    /** Removes the cookie from the browser. */
    void end(HttpServerRequest request) {
        request.response().addCookie(cookie(request, "").setMaxAge(0));
    }

    private static Cookie cookie(HttpServerRequest request, String value) {
        return Cookie.cookie(name(request), value)
                .setPath("/")
                .setHttpOnly(true)
                .setSecure(RequestOrigin.isSecure(request))
                .setSameSite(CookieSameSite.LAX);
    }

    private static String name(HttpServerRequest request) {
        return RequestOrigin.isSecure(request) ? SECURE_NAME : LOOPBACK_NAME;
    }
}
