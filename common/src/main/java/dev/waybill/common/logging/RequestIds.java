package dev.waybill.common.logging;

import java.util.regex.Pattern;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Ids;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;

/** Gives every request an id: the caller's own {@code X-Request-Id} when it is a sane one, else a new one. */
@Singleton
public class RequestIds {

    /** The header in which clients send an id, and in which every response has it. */
    public static final String HEADER = "X-Request-Id";
    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9._:-]{1,128}");
    private static final int BEFORE_EVERYTHING = 1000;

    private final Ids ids;

    public RequestIds(Ids ids) {
        this.ids = ids;
    }

    /** The id of the request; null only before the filter ran. */
    public static @Nullable String of(RoutingContext request) {
        return request.get(LogKeys.REQUEST_ID);
    }

    public void register(@Observes Filters filters) {
        filters.register(this::identify, BEFORE_EVERYTHING);
    }

    private void identify(RoutingContext request) {
        give(request);
        request.next();
    }

    /** For a request that no filter sees. */
    public void give(RoutingContext request) {
        // A request that is led to another path comes by again, and keeps the id that its lines have had so far.
        String known = of(request);
        String id = known != null ? known : orNew(request.request().getHeader(HEADER));
        request.put(LogKeys.REQUEST_ID, id);
        request.response().putHeader(HEADER, id);
        MDC.put(LogKeys.REQUEST_ID, id);
    }

    /** Returns the id that a client has sent where it is a sane one, else a new one. */
    public String orNew(@Nullable String given) {
        return given != null && SANE.matcher(given).matches() ? given : ids.newId().toString();
    }
}
