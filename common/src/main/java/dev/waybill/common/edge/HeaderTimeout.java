package dev.waybill.common.edge;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;

/**
 * Aborts connections whose request head does not arrive in time. A client that sends a few header bytes at intervals avoids the
 * idle timeout and would otherwise hold the connection and a 16 KiB buffer indefinitely. Notifies {@link HeaderTimer} of each
 * complete head.
 */
@Singleton
class HeaderTimeout {

    private static final int BEFORE_EVERYTHING = 1001;
    private static final String KEY = HeaderTimeout.class.getName();

    HeaderTimeout(RequestsConfig config) {
        if (config.headerTimeout().toMillis() < 1) {
            throw new IllegalStateException("waybill.requests.header-timeout must be greater than 0");
        }
    }

    void register(@Observes Filters filters) {
        filters.register(HeaderTimeout::recordHead, BEFORE_EVERYTHING);
    }

    private static void recordHead(RoutingContext request) {
        // A rerouted request passes this filter again but counts once.
        if (request.get(KEY) == null && request.request().connection() instanceof ConnectionBase connection) {
            HeaderTimer timer = HeaderTimer.of(connection.channel());
            if (timer != null) {
                request.put(KEY, timer);
                timer.headReceived();
                request.addEndHandler(ignored -> timer.requestEnded());
            }
        }
        request.next();
    }
}
