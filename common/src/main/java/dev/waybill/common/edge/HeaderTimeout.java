package dev.waybill.common.edge;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;

/**
 * Lets go of clients whose requests do not begin: a byte of a head now and then keeps a connection from being idle, and costs
 * it and
 * 16 KiB for as long as its client likes. Tells {@link HeaderTimer} which heads have come.
 */
@Singleton
class HeaderTimeout {

    private static final int BEFORE_EVERYTHING = 1001;
    private static final String KEY = HeaderTimeout.class.getName();

    HeaderTimeout(RequestsConfig config) {
        if (config.headTime().toMillis() < 1) {
            throw new IllegalStateException("waybill.requests.head-time must be more than nothing");
        }
    }

    void register(@Observes Filters filters) {
        filters.register(HeaderTimeout::note, BEFORE_EVERYTHING);
    }

    private static void note(RoutingContext request) {
        // A request that is led to another path comes by again, and stays one request.
        if (request.get(KEY) == null && request.request().connection() instanceof ConnectionBase connection) {
            HeaderTimer timer = HeaderTimer.of(connection.channel());
            if (timer != null) {
                request.put(KEY, timer);
                timer.begun();
                request.addEndHandler(ignored -> timer.ended());
            }
        }
        request.next();
    }
}
