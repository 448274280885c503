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
 * Rejects bodies above {@code quarkus.http.limits.max-body-size} with a problem detail. An announced length is checked after
 * authentication; other bodies are counted while they are read, against {@link #bytes()}. Quarkus' own check, before
 * authentication and without a response body, remains as a second and slightly higher limit.
 */
@Singleton
public class RequestSizeLimit {

    private static final int BEFORE_QUARKUS = 3;
    private static final int AFTER_QUARKUS = 1;
    private static final int LAST = Priorities.USER + 1001;
    private static final long SECOND_LIMIT_MARGIN = 64 << 10;
    private static final int MAX_DISCARDED_MULTIPLE = 8;
    private static final String HIDDEN_LENGTH = RequestSizeLimit.class.getName();

    private final long bytes;

    public RequestSizeLimit(@ConfigProperty(name = "quarkus.http.limits.max-body-size") Optional<MemorySize> limit) {
        this.bytes = limit.map(MemorySize::asLongValue).orElse(Long.MAX_VALUE - SECOND_LIMIT_MARGIN);
    }

    /** Returns the maximum size of a body in bytes. */
    public long bytes() {
        return bytes;
    }

    /** Returns the 413 for a larger body. */
    public ProblemException exceeded() {
        return new ProblemException(CommonProblem.TOO_LARGE,
                "The body is larger than the " + bytes + " bytes that this operation allows; split it into several requests.")
                .with("limit_bytes", bytes);
    }

    /** Returns whether the request announces a larger body. */
    public boolean isExceededBy(RoutingContext request) {
        return announced(request) > bytes;
    }

    void register(@Observes Filters filters) {
        filters.register(this::hideExcessiveLength, BEFORE_QUARKUS);
        filters.register(this::restoreLength, AFTER_QUARKUS);
    }

    @ServerRequestFilter(priority = LAST)
    public void check(RoutingContext request) {
        if (isExceededBy(request)) {
            throw exceeded();
        }
    }

    private void hideExcessiveLength(RoutingContext request) {
        long announced = announced(request);
        if (announced > bytes) {
            request.put(HIDDEN_LENGTH, request.request().getHeader(HttpHeaders.CONTENT_LENGTH));
            request.request().headers().remove(HttpHeaders.CONTENT_LENGTH);
            if (announced / MAX_DISCARDED_MULTIPLE > bytes) {
                request.response().putHeader("Connection", "close");
            }
        }
        request.next();
    }

    private void restoreLength(RoutingContext request) {
        String hidden = request.remove(HIDDEN_LENGTH);
        if (hidden != null) {
            request.request().headers().set(HttpHeaders.CONTENT_LENGTH, hidden);
        }
        request.put(VertxInputStream.MAX_REQUEST_SIZE_KEY, bytes + SECOND_LIMIT_MARGIN);
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
