package dev.waybill.experiment.body;

import java.util.regex.Pattern;

import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.vertx.VertxInputStream;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/**
 * Limits the size of bodies that are bound to objects. {@code quarkus.http.limits.max-body-size} must allow the largest
 * upload, and an object tree of a body of that size would not fit into memory.
 */
class BodySizeFilter {

    // Operations that read the request's stream themselves and enforce their own limits.
    private static final Pattern STREAMED_PATHS = Pattern.compile(
            "/api/v1/(runs(/(batch|multipart|[\\da-fA-F-]{32,36}))?/?|otel/v1/traces/?|datasets/upload-experiment/?|examples(/.*)?|"
                    + "platform/datasets/[^/]+/examples/?)");
    private static final long LIMIT = 2 << 20;

    @ServerRequestFilter
    public void limit(RoutingContext request) {
        if (STREAMED_PATHS.matcher(request.normalizedPath()).matches()) {
            return;
        }
        // For chunked bodies, which have no Content-Length.
        request.put(VertxInputStream.MAX_REQUEST_SIZE_KEY, LIMIT);
        String contentLength = request.request().getHeader(HttpHeaders.CONTENT_LENGTH);
        if (contentLength != null && contentLength.length() < 19 && Long.parseLong(contentLength) > LIMIT) {
            throw new ProblemException(CommonProblem.TOO_LARGE,
                    "The body is larger than the " + LIMIT + " bytes allowed for this operation; send smaller requests.")
                    .with("limit_bytes", LIMIT);
        }
    }
}
