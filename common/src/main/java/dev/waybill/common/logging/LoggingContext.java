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
 * Gives work in the background what each request has: a context of its own, so that every line that is written on its way, also
 * by
 * libraries, carries the ids of what the work is about, and no other does.
 */
@Singleton
public class LoggingContext {

    private final Vertx vertx;

    LoggingContext(Vertx vertx) {
        this.vertx = vertx;
    }

    /** The work, with these ids on its lines from when it is subscribed to until it ends. */
    public <T> Uni<T> about(Map<String, String> ids, Supplier<Uni<T>> work) {
        Context own = VertxContext.createNewDuplicatedContext(vertx.getOrCreateContext());
        return Uni.createFrom()
                .deferred(() -> {
                    ids.forEach(MDC::put);
                    return work.get();
                })
                .runSubscriptionOn(task -> own.runOnContext(ignored -> task.run()));
    }
}
