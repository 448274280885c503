package dev.waybill.experiment.intake;

import java.util.regex.Pattern;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;

/** Tracing clients call the same addresses with and without {@code /api/v1}; inside there is one of each. */
@Singleton
class UnprefixedPaths {

    private static final Pattern UNPREFIXED = Pattern.compile("/(info|runs|sessions|datasets|feedback)(/.*)?");
    private static final int AFTER_REQUEST_IDS = 900;

    void register(@Observes Filters filters) {
        filters.register(UnprefixedPaths::prefix, AFTER_REQUEST_IDS);
    }

    private static void prefix(RoutingContext request) {
        if (UNPREFIXED.matcher(request.normalizedPath()).matches()) {
            String query = request.request().query();
            request.reroute("/api/v1" + request.normalizedPath() + (query == null ? "" : "?" + query));
        } else {
            request.next();
        }
    }
}
