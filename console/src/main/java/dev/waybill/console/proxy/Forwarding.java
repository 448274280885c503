package dev.waybill.console.proxy;

import java.util.List;
import java.util.Set;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.console.http.Problem;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.StreamResetException;
import io.vertx.httpproxy.Body;
import io.vertx.httpproxy.ProxyContext;
import io.vertx.httpproxy.ProxyInterceptor;
import io.vertx.httpproxy.ProxyRequest;
import io.vertx.httpproxy.ProxyResponse;

/**
 * Rewrites the headers of one request and of its response, and turns a failed connection into a problem detail.
 *
 * @param workspace value of {@code X-Tenant-Id}; null to send none
 */
record Forwarding(ProxyRoutes.Target target, String apiKey, @Nullable String workspace) implements ProxyInterceptor {

    private static final Logger LOG = Logger.getLogger(Forwarding.class);
    /** Marks responses that are not the console's own. */
    static final String SERVICE = "X-Waybill-Service";
    /** Everything else that a browser adds stays here; so do credentials. */
    private static final Set<String> REQUEST_HEADERS = Set.of("accept", "accept-language", "content-type", "content-length",
            "content-encoding", "transfer-encoding", "if-match", "if-none-match", "idempotency-key", "last-event-id", "prefer",
            "range", "traceparent", "tracestate", "x-request-id");
    /** A service cannot set cookies or policies of the console's origin. */
    private static final List<String> RESPONSE_HEADERS = List.of("Set-Cookie", "Content-Security-Policy", "Clear-Site-Data",
            "Strict-Transport-Security", "Refresh", "Link", "Service-Worker-Allowed", "WWW-Authenticate", "Server", SERVICE);
    private static final Set<String> INLINE_TYPES = Set.of("application/json", "application/problem+json", "text/event-stream",
            "text/csv", "text/markdown", "text/plain", "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif");

    @Override
    public Future<ProxyResponse> handleProxyRequest(ProxyContext context) {
        ProxyRequest request = context.request();
        MultiMap headers = request.headers();
        headers.names().stream().filter(name -> !REQUEST_HEADERS.contains(name.toLowerCase(java.util.Locale.ROOT))).toList()
                .forEach(headers::remove);
        headers.set("X-Api-Key", apiKey);
        if (workspace != null) {
            headers.set("X-Tenant-Id", workspace);
        }
        request.setURI(target.uri());
        return context.sendRequest().recover(failure -> Future.succeededFuture(unavailable(request, failure)));
    }

    @Override
    public Future<Void> handleProxyResponse(ProxyContext context) {
        MultiMap headers = context.response().headers();
        RESPONSE_HEADERS.forEach(headers::remove);
        headers.set(SERVICE, target.service());
        String type = headers.get("Content-Type");
        if (type != null && !INLINE_TYPES.contains(type.split(";", 2)[0].strip().toLowerCase(java.util.Locale.ROOT))) {
            // A file of a customer, such as HTML or SVG, must not open as a page of the console.
            headers.set("Content-Disposition", "attachment");
        }
        return context.sendResponse();
    }

    private ProxyResponse unavailable(ProxyRequest request, Throwable failure) {
        if (failure instanceof StreamResetException) {
            LOG.debugf("The browser aborted a request to %s", target.service());
        } else {
            LOG.warnf("%s does not respond: %s", target.service(), failure.toString());
        }
        String path = request.proxiedRequest().path();
        ProxyResponse response = request.release().response().setStatusCode(Problem.SERVICE_UNAVAILABLE.status());
        response.headers().set("Retry-After", "5").set("Cache-Control", "no-store").set("Content-Type", Problem.MEDIA_TYPE);
        return response.setBody(Body.body(Problem.SERVICE_UNAVAILABLE
                .body(target.service() + " does not respond; the page tries again by itself.", path)
                .put("service", target.service())
                .toBuffer()));
    }
}
