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
 * Writes one line for each request with a changing method (POST, PUT, PATCH, DELETE) to the category {@value #CATEGORY}. The
 * line is written before the head of the response, or when the client disconnects before the response. The values are in the
 * message and in the MDC, for collectors that read JSON. The line contains no body, header or query string, and only the ids of
 * the path.
 */
@Singleton
class AuditLog {

    static final String CATEGORY = "waybill.audit";

    private static final Logger LOG = Logger.getLogger(CATEGORY);
    private static final Set<String> CHANGING = Set.of("POST", "PUT", "PATCH", "DELETE");
    private static final int AFTER_REQUEST_IDS = 990;
    private static final String REPLAYED = "Idempotent-Replayed";

    private final Set<String> excludedPaths;

    AuditLog(AuditConfig config) {
        this.excludedPaths = config.excludedPaths().orElse(Set.of());
    }

    void register(@Observes Filters filters) {
        filters.register(this::startEntry, AFTER_REQUEST_IDS);
    }

    private void startEntry(RoutingContext request) {
        if (LOG.isInfoEnabled() && CHANGING.contains(request.request().method().name())
                && !excludedPaths.contains(request.normalizedPath())) {
            AuditEntry entry = entry(request);
            request.addHeadersEndHandler(ignored -> write(request, entry, true));
        }
        request.next();
    }

    /** Returns the existing entry for a rerouted request, which passes this filter twice but is audited once. */
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

    private static void write(RoutingContext request, AuditEntry entry, boolean hasResponse) {
        if (!entry.markWritten()) {
            return;
        }
        Map<String, String> values = values(request, entry, hasResponse);
        // Later lines of the same request carry these keys as well, so only the keys added here are removed.
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

    private static Map<String, String> values(RoutingContext request, AuditEntry entry, boolean hasResponse) {
        String route = route(request, entry);
        AuditPath path = AuditPath.of(route, request.normalizedPath());
        Actor actor = entry.actor();
        UUID about = entry.resourceId();
        Map<String, String> values = new LinkedHashMap<>();
        values.put("outcome", hasResponse ? outcome(request.response()) : "abandoned");
        put(values, "status", hasResponse ? request.response().getStatusCode() : null);
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

    /** Returns the template of an operation, or the path of one of the server's own routes. */
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
