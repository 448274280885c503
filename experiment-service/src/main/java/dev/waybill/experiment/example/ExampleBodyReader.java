package dev.waybill.experiment.example;

import java.util.function.BiFunction;
import java.util.function.Function;

import jakarta.inject.Singleton;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.body.Body;
import dev.waybill.experiment.body.BodyDigest;
import dev.waybill.experiment.body.BodyReader;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;

/** Gives the present request's body to those who work on it, and its memory back when they are done. */
@Singleton
class ExampleBodyReader {

    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private final BodyReader bodies;
    private final Blocking blocking;
    private final HttpServerRequest request;

    ExampleBodyReader(BodyReader bodies, Blocking blocking, HttpServerRequest request) {
        this.bodies = bodies;
        this.blocking = blocking;
        this.request = request;
    }

    <T> Uni<T> read(Function<Body, Uni<T>> work) {
        return bodies.read(request)
                .chain(body -> work.apply(body).onTermination().invoke(body::release));
    }

    /** For requests that may come with an {@code Idempotency-Key}. */
    <T> Uni<T> readRepeatable(BiFunction<BodyDigest, Body, Uni<T>> work) {
        boolean repeatable = request.getHeader(IDEMPOTENCY_KEY) != null;
        return read(body -> digest(body, repeatable).chain(digest -> work.apply(digest, body)));
    }

    private Uni<BodyDigest> digest(Body body, boolean wanted) {
        return wanted ? blocking.call(() -> BodyDigest.of(body)) : Uni.createFrom().item(BodyDigest.NONE);
    }
}
