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
 * Names the operation of a request for the HTTP metrics of Quarkus, which would label what matches none with its raw path.
 * Quarkus
 * itself names those that have a path and method of their own; here are those that differ by media type only.
 */
@Singleton
class OperationLabels {

    private static final String METRIC_PATH = "UrlPathTemplate";
    private static final String UNMATCHED = "/UNMATCHED";

    /** Gives the request the label of those that match no operation, until one matches. */
    static void begin(RoutingContext request) {
        if (request.request() instanceof HttpServerRequestInternal internal) {
            internal.context().putLocal(METRIC_PATH, UNMATCHED);
        }
    }

    /** For responses that an operation writes by itself. */
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
