package dev.waybill.console.session;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import jakarta.inject.Singleton;

import dev.waybill.console.ConsoleConfig;
import dev.waybill.console.http.RequestOrigin;
import dev.waybill.console.service.Credential;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpServerRequest;

/** The cookie of a session. Over https its name has the prefix that forbids other hosts and paths to set it. */
@Singleton
public class SessionCookie {

    static final String SECURE_NAME = "__Host-waybill";
    /** For http on loopback, where browsers accept no prefix. */
    static final String LOOPBACK_NAME = "waybill";

    /** Browsers store 4096 bytes with the name and the attributes, which take fewer than 128. */
    static final int MAX_VALUE = 4096 - 128;

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
     * @param credentialExpiresAt when the key or token expires; empty if it does not
     * @throws CredentialTooLargeException if browsers would not store the cookie
     */
    public Session start(HttpServerRequest request, Credential credential, Optional<Instant> credentialExpiresAt) {
        Instant latest = clock.instant().plus(maxAge);
        Instant expiresAt = credentialExpiresAt.filter(latest::isAfter).orElse(latest);
        Session session = new Session(credential, expiresAt);
        long seconds = Math.max(1, Duration.between(clock.instant(), expiresAt).toSeconds());
        String value = cipher.seal(session);
        if (value.length() > MAX_VALUE) {
            throw new CredentialTooLargeException();
        }
        request.response().addCookie(cookie(request, value).setMaxAge(seconds));
        return session;
    }

    /** Removes the cookie from the browser. */
    void end(HttpServerRequest request) {
        request.response().addCookie(cookie(request, "").setMaxAge(0));
    }

    /** The key or token does not fit into a cookie. */
    public static final class CredentialTooLargeException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        CredentialTooLargeException() {
            super("the credential does not fit into a cookie", null, false, false);
        }
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
