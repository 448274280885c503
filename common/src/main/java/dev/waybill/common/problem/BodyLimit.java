package dev.waybill.common.problem;

import java.util.Optional;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.resteasy.reactive.server.vertx.VertxInputStream;

import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;

/**
 * Refuses bodies above {@code quarkus.http.limits.max-body-size} with a problem detail; Quarkus' own refusal has no body.
 * A body whose length is announced is refused before anything else is done for it. One that is not announced is counted
 * by whoever reads it, against {@link #bytes()}; Quarkus' limit stays behind that as a second one, a little higher.
 */
@Singleton
public class BodyLimit {

    private static final int BEFORE_QUARKUS = 900;
    private static final int AFTER_QUARKUS = 1;
    private static final long SECOND_LIMIT_ABOVE = 64 << 10;
    private static final int READ_AND_THROWN_AWAY = 8;

    private final long bytes;
    private final ProblemAnswers answers;

    public BodyLimit(@ConfigProperty(name = "quarkus.http.limits.max-body-size") Optional<MemorySize> limit,
            ProblemAnswers answers) {
        this.bytes = limit.map(MemorySize::asLongValue).orElse(Long.MAX_VALUE - SECOND_LIMIT_ABOVE);
        this.answers = answers;
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

    void register(@Observes Filters filters) {
        filters.register(this::refuseAnnounced, BEFORE_QUARKUS);
        filters.register(this::stepBehindReaders, AFTER_QUARKUS);
    }

    private void refuseAnnounced(RoutingContext request) {
        long announced = announced(request);
        if (announced <= bytes) {
            request.next();
            return;
        }
        if (announced / READ_AND_THROWN_AWAY > bytes) {
            request.response().putHeader("Connection", "close");
        }
        answers.send(request, exceeded());
        // Most clients read the answer only when they have sent everything.
        request.request().resume();
    }

    private void stepBehindReaders(RoutingContext request) {
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
