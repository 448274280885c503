package dev.waybill.common.problem;

import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerResponseContext;

import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;
import org.jboss.resteasy.reactive.server.mapping.URITemplate;
import org.jspecify.annotations.Nullable;

import io.vertx.core.http.impl.HttpServerRequestInternal;
import io.vertx.ext.web.RoutingContext;

/**
 * Sets the operation of a request as label of Quarkus' HTTP metrics, which would otherwise use the raw path of unmatched
 * requests. Quarkus labels operations with a unique path and method itself; this class labels those that differ by media type
 * only.
 */
@Singleton
class OperationLabels {

    private static final String METRIC_PATH = "UrlPathTemplate";
    private static final String UNMATCHED = "/UNMATCHED";

    /** Labels the request as unmatched until an operation matches. */
    static void begin(RoutingContext request) {
        if (request.request() instanceof HttpServerRequestInternal internal) {
            internal.context().putLocal(METRIC_PATH, UNMATCHED);
        }
    }

    /** Covers operations that write their response themselves. */
    @ServerRequestFilter
    void match(RoutingContext request) {
        label(request);
    }

    @ServerResponseFilter
    void respond(ContainerResponseContext response, RoutingContext request) {
        label(request);
    }

    private static void label(RoutingContext request) {
        ResteasyReactiveRequestContext call = CurrentRequestManager.get();
        if (call != null && call.getTarget() != null && request.request() instanceof HttpServerRequestInternal internal
                && UNMATCHED.equals(internal.context().getLocal(METRIC_PATH))) {
            internal.context().putLocal(METRIC_PATH, template(call.getTarget()));
        }
    }

    private static String template(RuntimeResource operation) {
        return text(operation.getClassPath()) + text(operation.getPath());
    }

    private static String text(@Nullable URITemplate path) {
        if (path == null || path.template.isEmpty() || path.template.equals("/")) {
            return "";
        }
        return path.template.startsWith("/") ? path.template : "/" + path.template;
    }
}
