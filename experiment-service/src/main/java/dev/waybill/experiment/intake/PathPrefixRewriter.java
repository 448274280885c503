package dev.waybill.experiment.intake;

import java.util.regex.Pattern;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;

/** Reroutes paths without the prefix {@code /api/v1}, because tracing clients use both forms. */
@Singleton
class PathPrefixRewriter {

    private static final Pattern UNPREFIXED = Pattern
            .compile("/(info|otel/v1/traces|runs|sessions|datasets|examples|feedback|platform|public)(/.*)?");
    // Clients whose base address has no /api/v1 add the version themselves for these operations.
    private static final Pattern VERSIONED = Pattern.compile("/v1/platform/.*");
    private static final int AFTER_REQUEST_IDS = 900;

    void register(@Observes Filters filters) {
        filters.register(PathPrefixRewriter::rewrite, AFTER_REQUEST_IDS);
    }

    private static void rewrite(RoutingContext request) {
        String path = request.normalizedPath();
        if (UNPREFIXED.matcher(path).matches()) {
            reroute(request, "/api/v1" + path);
        } else if (VERSIONED.matcher(path).matches()) {
            reroute(request, "/api" + path);
        } else {
            request.next();
        }
    }

    private static void reroute(RoutingContext request, String path) {
        String query = request.request().query();
        request.reroute(path + (query == null ? "" : "?" + query));
    }
}
