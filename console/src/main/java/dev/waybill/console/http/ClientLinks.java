package dev.waybill.console.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.waybill.console.ConsoleConfig;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * Redirects the links that tracing clients and {@code app_path} of runs contain to the pages of this console: workspaces,
 * projects, runs, datasets, examples and comparisons below {@code /o/{workspace}}. Other paths are not found. Clients derive
 * the host from that of the API, so that the API's ingress also routes these paths to the console.
 */
@Singleton
class ClientLinks {

    private static final String LINKS = "/o/*";
    private static final String ID = "[0-9a-fA-F-]{36}";
    private static final Pattern LINK = Pattern.compile("/o/(?<workspace>" + ID + ")(?:"
            + "|(?<list>/projects|/datasets)"
            + "|/projects/p/(?<project>" + ID + ")(?:/r/(?<run>" + ID + "))?"
            + "|/datasets/(?<dataset>" + ID + ")(?:(?<compare>/compare)|/e/(?<example>" + ID + "))?)/?");
    private static final Pattern IDS = Pattern.compile(ID + "(?:," + ID + ")*");

    private final String address;

    ClientLinks(ConsoleConfig config) {
        this.address = config.publicUrl().map(url -> url.toString().replaceFirst("/$", "")).orElse("");
    }

    void register(@Observes Router router) {
        router.route(HttpMethod.GET, LINKS).order(10).handler(this::redirect);
    }

    private void redirect(RoutingContext request) {
        Matcher link = LINK.matcher(request.normalizedPath());
        if (!link.matches()) {
            request.next();
            return;
        }
        RouteLabel.set(request, LINKS);
        request.response().setStatusCode(302)
                .putHeader("Location", address + "/w/" + link.group("workspace") + page(request, link))
                .end();
    }

    private static String page(RoutingContext request, Matcher link) {
        if (link.group("run") != null) {
            return trace(request, link.group("run"));
        }
        if (link.group("project") != null) {
            return "/projects/" + link.group("project");
        }
        if (link.group("dataset") != null) {
            return "/datasets/" + link.group("dataset") + pageOfDataset(request, link);
        }
        return link.group("list") == null ? "" : link.group("list");
    }

    /** Links of some clients have no trace; they lead to the trace whose root is the run. */
    private static String trace(RoutingContext request, String run) {
        List<String> traces = ids(request, "trace_id");
        String trace = traces.isEmpty() ? run : traces.getFirst();
        return "/traces/" + trace + (trace.equals(run) ? "" : "?run=" + run);
    }

    private static String pageOfDataset(RoutingContext request, Matcher link) {
        if (link.group("compare") != null) {
            return "/compare" + experiments(ids(request, "selectedSessions"));
        }
        return link.group("example") == null ? "" : "/examples/" + link.group("example");
    }

    /** The first of several experiments is the baseline; the page selects one for a single experiment. */
    private static String experiments(List<String> ids) {
        return switch (ids.size()) {
            case 0 -> "";
            case 1 -> "?with=" + ids.getFirst();
            default -> "?base=" + ids.getFirst() + "&with=" + String.join(",", ids.subList(1, ids.size()));
        };
    }

    /** Returns the ids of a parameter, which may be repeated or separated by commas; empty if one is malformed. */
    private static List<String> ids(RoutingContext request, String parameter) {
        List<String> ids = new ArrayList<>();
        for (String value : request.queryParam(parameter)) {
            if (!IDS.matcher(value).matches()) {
                return List.of();
            }
            ids.addAll(Arrays.asList(value.split(",")));
        }
        return ids;
    }
}
