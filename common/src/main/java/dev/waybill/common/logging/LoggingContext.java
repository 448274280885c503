package dev.waybill.common.logging;

import java.util.Map;
import java.util.function.Supplier;

import jakarta.inject.Singleton;

import org.jboss.logging.MDC;

import io.smallrye.common.vertx.VertxContext;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/**
 * Runs background work in a context of its own, as each request has, so that all its log lines, including those of libraries,
 * carry the ids of the processed object and no other lines do.
 */
@Singleton
public class LoggingContext {

    private final Vertx vertx;

    public LoggingContext(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Runs the work with these ids in the MDC, from its subscription to its end. */
    public <T> Uni<T> withIds(Map<String, String> ids, Supplier<Uni<T>> work) {
        Context own = VertxContext.createNewDuplicatedContext(vertx.getOrCreateContext());
        return Uni.createFrom()
                .deferred(() -> {
                    ids.forEach(MDC::put);
                    return work.get();
                })
                .runSubscriptionOn(task -> own.runOnContext(ignored -> task.run()));
    }
}
