package dev.waybill.common.audit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.logging.RequestIds;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.RoutingContext;

/**
 * Writes one line for each request whose method may change something, in the category {@value #CATEGORY}: before the head of
 * its answer, so that no answer is without its line; for one whose client went before it was answered, when it has gone. The
 * values are in the line's text and, for collectors of JSON, in its MDC. No bodies, headers or query strings are told, and of
 * a path only its ids.
 */
@Singleton
class AuditLog {

    static final String CATEGORY = "waybill.audit";

    private static final Logger LOG = Logger.getLogger(CATEGORY);
    private static final Set<String> CHANGING = Set.of("POST", "PUT", "PATCH", "DELETE");
    private static final int AFTER_REQUEST_IDS = 990;
    private static final String REPLAYED = "Idempotent-Replayed";

    private final Set<String> except;

    AuditLog(AuditConfig config) {
        this.except = config.except().orElse(Set.of());
    }

    void register(@Observes Filters filters) {
        filters.register(this::listen, AFTER_REQUEST_IDS);
    }

    private void listen(RoutingContext request) {
        if (LOG.isInfoEnabled() && CHANGING.contains(request.request().method().name())
                && !except.contains(request.normalizedPath())) {
            AuditEntry entry = entry(request);
            request.addHeadersEndHandler(ignored -> write(request, entry, true));
        }
        request.next();
    }

    /** A request that is led to another path comes by again: it stays one request, though its handlers of the head are gone. */
    private static AuditEntry entry(RoutingContext request) {
        AuditEntry known = AuditEntry.of(request);
        if (known != null) {
            return known;
        }
        AuditEntry entry = new AuditEntry();
        entry.attachTo(request);
        request.addEndHandler(ignored -> write(request, entry, false));
        return entry;
    }

    private static void write(RoutingContext request, AuditEntry entry, boolean answered) {
        if (!entry.beginWriting()) {
            return;
        }
        Map<String, String> values = values(request, entry, answered);
        // The request's id and workspace are on the lines after this one, too.
        Set<String> own = values.keySet().stream().filter(key -> MDC.get(key) == null).collect(Collectors.toSet());
        values.forEach(MDC::put);
        try {
            LOG.info("a request to change something has ended: " + values.entrySet().stream()
                    .map(value -> value.getKey() + "=" + value.getValue())
                    .collect(Collectors.joining(" ")));
        } finally {
            own.forEach(MDC::remove);
        }
    }

    private static Map<String, String> values(RoutingContext request, AuditEntry entry, boolean answered) {
        String route = route(request, entry);
        AuditPath path = AuditPath.of(route, request.normalizedPath());
        Actor actor = entry.actor();
        UUID about = entry.resourceId();
        Map<String, String> values = new LinkedHashMap<>();
        values.put("outcome", answered ? outcome(request.response()) : "abandoned");
        put(values, "status", answered ? request.response().getStatusCode() : null);
        values.put("method", request.request().method().name());
        put(values, "route", route);
        values.put("path", path.path());
        put(values, "resource_id", about != null ? about : path.lastId().orElse(null));
        put(values, "location", request.response().headers().get("Content-Location"));
        values.put("actor", actor.kind());
        put(values, "actor_id", actor.id());
        put(values, "organization_id", actor.organizationId());
        put(values, LogKeys.TENANT_ID, actor.tenantId());
        put(values, LogKeys.REQUEST_ID, RequestIds.of(request));
        return values;
    }

    private static void put(Map<String, String> values, String key, @Nullable Object value) {
        if (value != null) {
            values.put(key, value.toString());
        }
    }

    /** Of an operation its template; of a route of the server's own, its path. */
    private static @Nullable String route(RoutingContext request, AuditEntry entry) {
        Route current = request.currentRoute();
        return entry.route() != null || current == null || !current.isExactPath() ? entry.route() : current.getPath();
    }

    private static String outcome(HttpServerResponse response) {
        int status = response.getStatusCode();
        if (status < 400) {
            return response.headers().contains(REPLAYED) ? "replayed" : "done";
        }
        return status < 500 ? "refused" : "failed";
    }
}
