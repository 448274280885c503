package dev.waybill.common.audit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.logging.LogKeys;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;

/**
 * Writes one line for each request with a changing method (POST, PUT, PATCH, DELETE) to the category {@value #CATEGORY}. The
 * line is written before the head of the response, or when the client disconnects before the response. The values are in the
 * message and in the MDC, for collectors that read JSON. The line contains no body or query string, no header other than {@code
 * User-Agent}, and only the ids of the path.
 */
@Singleton
class AuditLog {

    static final String CATEGORY = "waybill.audit";

    private static final Logger LOG = Logger.getLogger(CATEGORY);
    private static final Set<String> CHANGING = Set.of("POST", "PUT", "PATCH", "DELETE");
    private static final int AFTER_REQUEST_IDS = 990;
    private static final String USER_AGENT = "user_agent";

    private final Set<String> excludedPaths;
    /** Excluded paths with parameters. */
    private final List<Pattern> excludedTemplates;

    AuditLog(AuditConfig config) {
        this.excludedPaths = config.excludedPaths().orElse(Set.of());
        this.excludedTemplates = excludedPaths.stream().filter(path -> path.contains("{"))
                .map(path -> Pattern.compile(path.replaceAll("\\{\\w+}", "[^/]+")))
                .toList();
    }

    void register(@Observes Filters filters) {
        filters.register(this::startEntry, AFTER_REQUEST_IDS);
    }

    private void startEntry(RoutingContext request) {
        if (CHANGING.contains(request.request().method().name())
                && !isExcluded(request.normalizedPath())) {
            AuditEntry entry = entry(request);
            request.addHeadersEndHandler(ignored -> write(request, entry, true));
        }
        request.next();
    }

    private boolean isExcluded(String path) {
        return excludedPaths.contains(path)
                || excludedTemplates.stream().anyMatch(template -> template.matcher(path).matches());
    }

    /** Returns the existing entry for a rerouted request, which passes this filter twice but is audited once. */
    private static AuditEntry entry(RoutingContext request) {
        AuditEntry known = AuditEntry.of(request);
        if (known != null) {
            return known;
        }
        AuditEntry entry = new AuditEntry(RequestClient.of(request.request()));
        entry.attachTo(request);
        request.addEndHandler(ignored -> write(request, entry, false));
        return entry;
    }

    private static void write(RoutingContext request, AuditEntry entry, boolean hasResponse) {
        if (!entry.markWritten() || !LOG.isInfoEnabled()) {
            return;
        }
        Map<String, String> values = values(request,
                AuditEvent.of(request, entry, hasResponse ? request.response().getStatusCode() : null));
        // Later lines of the same request carry these keys as well, so only the keys added here are removed.
        Set<String> own = values.keySet().stream().filter(key -> MDC.get(key) == null).collect(Collectors.toSet());
        values.forEach(MDC::put);
        try {
            LOG.info("a request to change something has ended: " + values.entrySet().stream()
                    .map(AuditLog::text)
                    .collect(Collectors.joining(" ")));
        } finally {
            own.forEach(MDC::remove);
        }
    }

    private static Map<String, String> values(RoutingContext request, AuditEvent event) {
        Actor actor = event.actor();
        Map<String, String> values = new LinkedHashMap<>();
        values.put("outcome", event.outcome());
        put(values, "status", event.status());
        values.put("method", event.method());
        put(values, "route", event.route());
        values.put("path", event.path());
        put(values, "resource_id", event.resourceId());
        put(values, "location", request.response().headers().get("Content-Location"));
        values.put("actor", actor.kind());
        put(values, "actor_id", actor.id());
        put(values, "organization_id", actor.organizationId());
        put(values, LogKeys.TENANT_ID, actor.tenantId());
        put(values, LogKeys.REQUEST_ID, event.requestId());
        put(values, "client_address", event.client().address());
        put(values, USER_AGENT, event.client().userAgent());
        return values;
    }

    private static void put(Map<String, String> values, String key, @Nullable Object value) {
        if (value != null) {
            values.put(key, value.toString());
        }
    }

    /** Returns the value as {@code key=value}; the only value with spaces is quoted. */
    private static String text(Map.Entry<String, String> value) {
        return value.getKey() + "=" + (value.getKey().equals(USER_AGENT) ? '"' + value.getValue() + '"' : value.getValue());
    }
}
