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
    private static final String PAGE = PageRoutes.class.getName() + ".page";

    void register(@Observes Router router) {
        router.route(HttpMethod.GET, APPLICATION).order(9).handler(PageRoutes::label);
        for (String page : PAGES) {
            router.route(HttpMethod.GET, page).order(10).handler(request -> open(request, page));
        }
    }

    private static void open(RoutingContext request, String page) {
        request.put(PAGE, page).reroute(HttpMethod.GET, APPLICATION);
    }

    /** Rerouting removes labels and handlers of the response, so the label of the page is set after it. */
    private static void label(RoutingContext request) {
        String page = request.get(PAGE);
        if (page != null) {
            request.addHeadersEndHandler(ignored -> RouteLabel.set(request, page));
        }
        request.next();
    }
}
