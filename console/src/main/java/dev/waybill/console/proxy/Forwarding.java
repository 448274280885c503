package dev.waybill.console.proxy;

import java.util.List;
import java.util.Locale;
import java.util.Set;

import org.jboss.logging.Logger;

import dev.waybill.common.logging.RequestIds;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.Problem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.ProblemResponses;
import dev.waybill.common.telemetry.TraceParent;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.StreamResetException;
import io.vertx.httpproxy.Body;
import io.vertx.httpproxy.ProxyContext;
import io.vertx.httpproxy.ProxyInterceptor;
import io.vertx.httpproxy.ProxyRequest;
import io.vertx.httpproxy.ProxyResponse;

/** Rewrites the headers of one request and of its response, and turns a failed connection into a problem detail. */
record Forwarding(ProxyRoutes.Target target, Origin origin, ProblemResponses responses) implements ProxyInterceptor {

    private static final Logger LOG = Logger.getLogger(Forwarding.class);
    /** Marks responses that are not the console's own. */
    static final String SERVICE = "X-Waybill-Service";
    /** Services that trust the console write this address to the audit log. */
    private static final String FORWARDED_FOR = "X-Forwarded-For";
    private static final String ENCODING = "Content-Encoding";
    /** Everything else that a browser adds stays here; so do credentials. */
    private static final Set<String> REQUEST_HEADERS = Set.of("accept", "accept-encoding", "accept-language", "content-type",
            "content-length", "content-encoding", "transfer-encoding", "if-match", "if-none-match", "idempotency-key",
            "last-event-id", "prefer", "range", "traceparent", "tracestate", "user-agent");
    /** A service cannot set cookies or policies of the console's origin; the console sets some of these headers itself. */
    private static final List<String> RESPONSE_HEADERS = List.of("Set-Cookie", "Content-Security-Policy", "Clear-Site-Data",
            "Strict-Transport-Security", "Refresh", "Link", "Service-Worker-Allowed", "WWW-Authenticate", "Server",
            "X-Content-Type-Options", RequestIds.HEADER, SERVICE);
    private static final Set<String> INLINE_TYPES = Set.of("application/json", "application/problem+json", "text/event-stream",
            "text/csv", "text/markdown", "text/plain", "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif");

    @Override
    public Future<ProxyResponse> handleProxyRequest(ProxyContext context) {
        ProxyRequest request = context.request();
        MultiMap headers = request.headers();
        headers.names().stream().filter(name -> !REQUEST_HEADERS.contains(name.toLowerCase(Locale.ROOT))).toList()
                .forEach(headers::remove);
        origin.credential().addTo(headers);
        headers.set(RequestIds.HEADER, origin.requestId());
        if (origin.workspace() != null) {
            headers.set("X-Tenant-Id", origin.workspace());
        }
        if (origin.traceParent() != null) {
            headers.set(TraceParent.HEADER, origin.traceParent());
        }
        if (origin.clientAddress() != null) {
            headers.set(FORWARDED_FOR, origin.clientAddress());
        }
        request.setURI(target.uri());
        return context.sendRequest().recover(failure -> Future.succeededFuture(unavailable(request, failure)));
    }

    @Override
    public Future<Void> handleProxyResponse(ProxyContext context) {
        MultiMap headers = context.response().headers();
        RESPONSE_HEADERS.forEach(headers::remove);
        headers.set(SERVICE, target.service());
        if (headers.contains(ENCODING)) {
            // Replaces "identity", which prevents Quarkus from compressing other responses of services.
            context.request().proxiedRequest().response().headers().remove(ENCODING);
        }
        String type = headers.get("Content-Type");
        if (type != null && !INLINE_TYPES.contains(type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))) {
            // A file of a customer, such as HTML or SVG, must not open as a page of the console.
            headers.set("Content-Disposition", "attachment");
        }
        return context.sendResponse();
    }

    private ProxyResponse unavailable(ProxyRequest request, Throwable failure) {
        if (failure instanceof StreamResetException) {
            LOG.debugf("the browser aborted a request to %s", target.service());
        } else {
            LOG.warnf("%s does not respond: %s", target.service(), failure.toString());
        }
        ProblemException problem = new ProblemException(CommonProblem.UNAVAILABLE,
                target.service() + " does not respond; the page tries again by itself.").with("service", target.service());
        byte[] body = responses.bytes(problem, request.proxiedRequest().path(), origin.requestId());
        ProxyResponse response = request.release().response().setStatusCode(CommonProblem.UNAVAILABLE.status());
        response.headers().set("Retry-After", "5").set("Cache-Control", "no-store").set("Content-Type", Problem.MEDIA_TYPE);
        return response.setBody(Body.body(Buffer.buffer(body)));
    }
}
