package dev.waybill.common.audit;

import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerResponseContext;

import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.Auditable;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Sets the route and the resource id of a request's audit entry, and stores its event before the response is sent. */
@Singleton
class AuditFilter {

    // Response filters with a higher priority run earlier.
    private static final int BEFORE_STORING = Priorities.USER + 100;

    // Services without a database have no such bean.
    private final Instance<AuditEventWriter> writers;

    AuditFilter(Instance<AuditEventWriter> writers) {
        this.writers = writers;
    }

    /** Covers operations that write their response themselves. */
    @ServerRequestFilter
    void recordRoute(RoutingContext request) {
        AuditEntry entry = AuditEntry.of(request);
        if (entry != null) {
            setRoute(entry);
        }
    }

    @AuditLogOnly
    @ServerResponseFilter(priority = BEFORE_STORING)
    void excludeFromStorage(RoutingContext request) {
        AuditEntry entry = AuditEntry.of(request);
        if (entry != null) {
            entry.setLogOnly();
        }
    }

    /** Returns null, which does not suspend the response, if there is nothing to store. */
    @ServerResponseFilter
    @Nullable
    Uni<Void> recordResponse(ContainerResponseContext response, RoutingContext request) {
        AuditEntry entry = AuditEntry.of(request);
        if (entry == null) {
            return null;
        }
        setRoute(entry);
        if (response.getEntity() instanceof Auditable about) {
            entry.setResourceId(about.id());
        }
        return entry.isStored() && writers.isResolvable()
                ? writers.get().store(AuditEvent.of(request, entry, response.getStatus()))
                : null;
    }

    private static void setRoute(AuditEntry entry) {
        ResteasyReactiveRequestContext call = CurrentRequestManager.get();
        if (call != null && call.getTarget() != null) {
            entry.setRoute(route(call.getTarget()));
        }
    }

    private static String route(RuntimeResource resource) {
        String route = template(resource.getClassPath() == null ? null : resource.getClassPath().template)
                + template(resource.getPath() == null ? null : resource.getPath().template);
        return route.isEmpty() ? "/" : route;
    }

    private static String template(@Nullable String path) {
        if (path == null || path.isEmpty() || path.equals("/")) {
            return "";
        }
        return path.startsWith("/") ? path : "/" + path;
    }
}
