package dev.waybill.experiment.intake;

import java.util.regex.Pattern;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;

/** Tracing clients call the same addresses with and without {@code /api/v1}; inside there is one of each. */
@Singleton
class PathPrefixRewriter {

    private static final Pattern UNPREFIXED = Pattern
            .compile("/(info|otel/v1/traces|runs|sessions|datasets|examples|feedback|platform|public)(/.*)?");
    // Clients that were given an address without /api/v1 put a version before these themselves.
    private static final Pattern VERSIONED = Pattern.compile("/v1/platform/.*");
    private static final int AFTER_REQUEST_IDS = 900;

    void register(@Observes Filters filters) {
        filters.register(PathPrefixRewriter::prefix, AFTER_REQUEST_IDS);
    }

    private static void prefix(RoutingContext request) {
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
