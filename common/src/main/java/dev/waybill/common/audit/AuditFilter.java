package dev.waybill.common.audit;

import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerResponseContext;

import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;
import org.jspecify.annotations.Nullable;

import io.vertx.ext.web.RoutingContext;

/** Notes which operation a request was for, and what its answer is about. */
@Singleton
class AuditFilter {

    /** For answers that an operation writes by itself. */
    @ServerRequestFilter
    void begin(RoutingContext request) {
        AuditEntry entry = AuditEntry.of(request);
        if (entry != null) {
            noteRoute(entry);
        }
    }

    @ServerResponseFilter
    void note(ContainerResponseContext response, RoutingContext request) {
        AuditEntry entry = AuditEntry.of(request);
        if (entry == null) {
            return;
        }
        noteRoute(entry);
        if (response.getEntity() instanceof Auditable about) {
            entry.isAbout(about.id());
        }
    }

    private static void noteRoute(AuditEntry entry) {
        ResteasyReactiveRequestContext call = CurrentRequestManager.get();
        if (call != null && call.getTarget() != null) {
            entry.matched(route(call.getTarget()));
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
