package dev.waybill.console.http;

import io.vertx.core.http.impl.HttpServerRequestInternal;
import io.vertx.ext.web.RoutingContext;

/**
 * Sets the route of a request as label of Quarkus' HTTP metrics. The framework knows the routes of its own operations only, and
 * raw paths would create a time series for each id.
 */
public final class RouteLabel {

    private static final String METRIC_PATH = "UrlPathTemplate";

    private RouteLabel() {
    }

    /** Labels the request with one of few templates. */
    public static void set(RoutingContext request, String template) {
        if (request.request() instanceof HttpServerRequestInternal internal) {
            internal.context().putLocal(METRIC_PATH, template);
        }
    }
}
