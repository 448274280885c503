package dev.waybill.controlplane.integration;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;

/** Reroutes {@code /v1/integrations/github} to {@code /v1/integrations/repohost}, for clients that use the GitHub paths. */
@Singleton
class GithubPathRewriter {

    // Push webhooks have no alias.
    private static final Pattern ALIAS = Pattern.compile("/v1/integrations/github(/(?!webhook/?$)[^/]+(?:/repos)?/?)");
    private static final int AFTER_REQUEST_IDS = 900;

    void register(@Observes Filters filters) {
        filters.register(GithubPathRewriter::rewrite, AFTER_REQUEST_IDS);
    }

    private static void rewrite(RoutingContext request) {
        Matcher alias = ALIAS.matcher(request.normalizedPath());
        if (alias.matches()) {
            String query = request.request().query();
            request.reroute("/v1/integrations/repohost" + alias.group(1) + (query == null ? "" : "?" + query));
        } else {
            request.next();
        }
    }
}
