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

/** Reads the current request's body and releases its memory when the work is done. */
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

    /** Reads the body of a request that may have an {@code Idempotency-Key}, with its digest. */
    <T> Uni<T> readIdempotent(BiFunction<BodyDigest, Body, Uni<T>> work) {
        boolean idempotent = request.getHeader(IDEMPOTENCY_KEY) != null;
        return read(body -> digest(body, idempotent).chain(digest -> work.apply(digest, body)));
    }

    private Uni<BodyDigest> digest(Body body, boolean idempotent) {
        return idempotent ? blocking.call(() -> BodyDigest.of(body)) : Uni.createFrom().item(BodyDigest.NONE);
    }
}
