package dev.waybill.experiment.body;

import java.util.regex.Pattern;

import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.vertx.VertxInputStream;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/**
 * Keeps bodies that are bound as trees small. The service's own limit is as high as the intake needs it, and a tree of a body
 * of
 * that size would not fit into memory.
 */
class BodySizeFilter {

    // Those that take their bodies from the request themselves, and no others: questions for runs are bound.
    private static final Pattern LARGE = Pattern.compile(
            "/api/v1/(runs(/(batch|multipart|[\\da-fA-F-]{32,36}))?/?|otel/v1/traces/?|datasets/upload-experiment/?|examples(/.*)?|"
                    + "platform/datasets/[^/]+/examples/?)");
    private static final long LIMIT = 2 << 20;

    @ServerRequestFilter
    public void limit(RoutingContext request) {
        if (LARGE.matcher(request.normalizedPath()).matches()) {
            return;
        }
        // For bodies that do not say how long they are.
        request.put(VertxInputStream.MAX_REQUEST_SIZE_KEY, LIMIT);
        String announced = request.request().getHeader(HttpHeaders.CONTENT_LENGTH);
        if (announced != null && announced.length() < 19 && Long.parseLong(announced) > LIMIT) {
            throw new ProblemException(CommonProblem.TOO_LARGE,
                    "The body is larger than the " + LIMIT + " bytes allowed here; send less at once.")
                    .with("limit_bytes", LIMIT);
        }
    }
}
