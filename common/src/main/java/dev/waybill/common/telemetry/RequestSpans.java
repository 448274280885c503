package dev.waybill.common.telemetry;

import java.util.Set;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.logging.RequestIds;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerRequestInternal;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.RoutingContext;

/**
 * Records a span for each request, from its head to the end of its response, as a child of the caller's span if the request has
 * one. Excludes the operators' endpoints ({@code /q}), which monitoring polls.
 */
@Singleton
class RequestSpans {

    private static final int AFTER_REQUEST_IDS = 995;
    private static final String KEY = RequestSpans.class.getName();
    /** Local in which the framework stores the template of the matched operation. */
    private static final String TEMPLATE = "UrlPathTemplate";
    /** The template of requests that match no operation, set by {@code problem.OperationLabels} for metrics. */
    private static final String UNMATCHED = "/UNMATCHED";
    private static final String OTHER = "_OTHER";
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    private static final int FIRST_SERVER_ERROR = 500;

    private final Telemetry telemetry;

    RequestSpans(Telemetry telemetry) {
        this.telemetry = telemetry;
    }

    void register(@Observes Filters filters) {
        if (telemetry.isEnabled()) {
            filters.register(this::begin, AFTER_REQUEST_IDS);
        }
    }

    private void begin(RoutingContext request) {
        // A rerouted request passes this filter again but has one span.
        if (request.get(KEY) == null && !request.normalizedPath().startsWith("/q/")) {
            String method = method(request.request());
            SpanContext caller = TraceParent.parse(request.request().getHeader(TraceParent.HEADER));
            Span span = telemetry.startSpan(caller, method, SpanKind.SERVER);
            span.setAttribute(SpanKeys.METHOD, method);
            span.setAttribute(SpanKeys.REQUEST_ID, RequestIds.of(request));
            Telemetry.makeCurrent(span.getSpanContext());
            request.put(KEY, span);
            request.addEndHandler(result -> end(request, span, method, result.succeeded()));
        }
        request.next();
    }

    private static void end(RoutingContext request, Span span, String method, boolean succeeded) {
        String route = route(request);
        if (route != null) {
            span.updateName(method + " " + route);
            span.setAttribute(SpanKeys.ROUTE, route);
        }
        String tenantId = request.get(LogKeys.TENANT_ID);
        if (tenantId != null) {
            span.setAttribute(SpanKeys.TENANT_ID, tenantId);
        }
        int status = request.response().getStatusCode();
        if (!succeeded) {
            span.setAttribute(SpanKeys.ERROR, "client_gone");
        } else {
            span.setAttribute(SpanKeys.STATUS, (long) status);
        }
        if (succeeded && status >= FIRST_SERVER_ERROR) {
            span.setAttribute(SpanKeys.ERROR, String.valueOf(status));
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }

    private static String method(HttpServerRequest request) {
        String name = request.method().name();
        return METHODS.contains(name) ? name : OTHER;
    }

    /** Returns the template of an operation, or the path of one of the server's own routes. */
    private static @Nullable String route(RoutingContext request) {
        String template = request.request() instanceof HttpServerRequestInternal known
                ? known.context().<String> getLocal(TEMPLATE)
                : null;
        if (UNMATCHED.equals(template)) {
            template = null;
        }
        Route current = request.currentRoute();
        return template != null || current == null || !current.isExactPath() ? template : current.getPath();
    }
}
