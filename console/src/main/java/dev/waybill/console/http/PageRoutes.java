package dev.waybill.console.http;

import java.util.List;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/** Serves the application for every address of a page, so that each of them can be opened directly. */
@Singleton
class PageRoutes {

    private static final List<String> PAGES = List.of("/w/*", "/sign-in", "/gallery", "/gallery/*");
    private static final String APPLICATION = "/index.html";

    void register(@Observes Router router) {
        for (String page : PAGES) {
            router.route(HttpMethod.GET, page).order(10).handler(request -> open(request, page));
        }
    }

    private static void open(RoutingContext request, String page) {
        // The label of the path before rerouting does not survive it.
        request.addHeadersEndHandler(ignored -> RouteLabel.set(request, page));
        request.reroute(HttpMethod.GET, APPLICATION);
    }
}
