package dev.waybill.common.problem;

import java.util.Optional;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.ws.rs.Priorities;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.vertx.VertxInputStream;

import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/**
 * Rejects bodies above {@code quarkus.http.limits.max-body-size} with a problem detail. A length that is announced is checked
 * once the caller is known; others are counted by whoever reads the body, against {@link #bytes()}. Quarkus' own check, ahead
 * of authentication and without a body in its response, stays as a second limit, a little higher.
 */
@Singleton
public class RequestSizeLimit {

    private static final int BEFORE_QUARKUS = 3;
    private static final int AFTER_QUARKUS = 1;
    private static final int LAST = Priorities.USER + 1001;
    private static final long SECOND_LIMIT_ABOVE = 64 << 10;
    private static final int READ_AND_THROWN_AWAY = 8;
    private static final String HIDDEN = RequestSizeLimit.class.getName();

    private final long bytes;

    public RequestSizeLimit(@ConfigProperty(name = "quarkus.http.limits.max-body-size") Optional<MemorySize> limit) {
        this.bytes = limit.map(MemorySize::asLongValue).orElse(Long.MAX_VALUE - SECOND_LIMIT_ABOVE);
    }

    /** The largest body in bytes. */
    public long bytes() {
        return bytes;
    }

    /** What is answered to a larger one. */
    public ProblemException exceeded() {
        return new ProblemException(CommonProblem.TOO_LARGE,
                "The body is larger than the " + bytes + " bytes allowed here; send less at once.")
                .with("limit_bytes", bytes);
    }

    /** Returns whether the request announces a larger body. */
    public boolean isExceededBy(RoutingContext request) {
        return announced(request) > bytes;
    }

    void register(@Observes Filters filters) {
        filters.register(this::stepAheadOfQuarkus, BEFORE_QUARKUS);
        filters.register(this::stepBehindReaders, AFTER_QUARKUS);
    }

    @ServerRequestFilter(priority = LAST)
    public void check(RoutingContext request) {
        if (isExceededBy(request)) {
            throw exceeded();
        }
    }

    private void stepAheadOfQuarkus(RoutingContext request) {
        long announced = announced(request);
        if (announced > bytes) {
            request.put(HIDDEN, request.request().getHeader(HttpHeaders.CONTENT_LENGTH));
            request.request().headers().remove(HttpHeaders.CONTENT_LENGTH);
            if (announced / READ_AND_THROWN_AWAY > bytes) {
                request.response().putHeader("Connection", "close");
            }
        }
        request.next();
    }

    private void stepBehindReaders(RoutingContext request) {
        String hidden = request.remove(HIDDEN);
        if (hidden != null) {
            request.request().headers().set(HttpHeaders.CONTENT_LENGTH, hidden);
        }
        request.put(VertxInputStream.MAX_REQUEST_SIZE_KEY, bytes + SECOND_LIMIT_ABOVE);
        request.next();
    }

    private static long announced(RoutingContext request) {
        String length = request.request().getHeader("Content-Length");
        try {
            return length == null ? 0 : Long.parseLong(length.strip());
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
