package dev.waybill.common.logging;

import java.util.regex.Pattern;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Ids;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;

/** Assigns an id to every request: the caller's {@code X-Request-Id} if it is well-formed, otherwise a new one. */
@Singleton
public class RequestIds {

    /** Request and response header with the id. */
    public static final String HEADER = "X-Request-Id";
    private static final Pattern WELL_FORMED = Pattern.compile("[A-Za-z0-9._:-]{1,128}");
    private static final int BEFORE_EVERYTHING = 1000;

    private final Ids ids;

    public RequestIds(Ids ids) {
        this.ids = ids;
    }

    /** Returns the id of the request; null only before the filter has run. */
    public static @Nullable String of(RoutingContext request) {
        return request.get(LogKeys.REQUEST_ID);
    }

    public void register(@Observes Filters filters) {
        filters.register(this::identify, BEFORE_EVERYTHING);
    }

    private void identify(RoutingContext request) {
        assign(request);
        request.next();
    }

    /** Assigns an id to a request that no filter processes. */
    public void assign(RoutingContext request) {
        // A rerouted request passes this filter again and retains its id.
        String known = of(request);
        String id = known != null ? known : validOrNew(request.request().getHeader(HEADER));
        request.put(LogKeys.REQUEST_ID, id);
        request.response().putHeader(HEADER, id);
        MDC.put(LogKeys.REQUEST_ID, id);
    }

    /** Returns the client's id if it is well-formed, otherwise a new one. */
    public String validOrNew(@Nullable String given) {
        return given != null && WELL_FORMED.matcher(given).matches() ? given : ids.newId().toString();
    }
}
