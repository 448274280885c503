package dev.waybill.controlplane.engine.local.proxy;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.httpproxy.ProxyContext;
import io.vertx.httpproxy.ProxyInterceptor;
import io.vertx.httpproxy.ProxyResponse;

/** Removes hop-by-hop headers in both directions and responds if the application does not. */
final class HeaderFilter implements ProxyInterceptor {

    private static final List<String> HOP_BY_HOP = List.of("connection", "keep-alive", "proxy-connection", "upgrade",
            "http2-settings", "te", "expect");
    // End-to-end headers, even if the header Connection names them.
    private static final Set<String> END_TO_END = Set.of("content-length", "transfer-encoding", "host");

    @Override
    public Future<ProxyResponse> handleProxyRequest(ProxyContext context) {
        removeHopByHop(context.request().headers());
        return context.sendRequest()
                .map(HeaderFilter::valid)
                .recover(_ -> Future.succeededFuture(ProxyError.unavailable(context.request())));
    }

    private static ProxyResponse valid(ProxyResponse response) {
        List<String> codings = response.headers().getAll(HttpHeaders.TRANSFER_ENCODING);
        if (!codings.stream().allMatch("chunked"::equalsIgnoreCase) || codings.size() > 1) {
            response.release();
            throw new IllegalStateException("the response has an unknown Transfer-Encoding");
        }
        if (!codings.isEmpty()) {
            // The library compares the name exactly.
            response.headers().set(HttpHeaders.TRANSFER_ENCODING, HttpHeaders.CHUNKED);
        }
        return response;
    }

    @Override
    public Future<Void> handleProxyResponse(ProxyContext context) {
        ProxyResponse response = context.response();
        removeHopByHop(response.headers());
        HttpServerRequest request = context.request().proxiedRequest();
        if (request.version() == HttpVersion.HTTP_1_0 && response.getBody() != null && response.getBody().length() < 0) {
            return sendUntilClose(response, request.response());
        }
        return context.sendResponse();
    }

    /** Streams the body to a client of HTTP/1.0, for which the library would buffer it completely. */
    private static Future<Void> sendUntilClose(ProxyResponse response, HttpServerResponse client) {
        client.setStatusCode(response.getStatusCode());
        response.headers().remove(HttpHeaders.TRANSFER_ENCODING);
        client.headers().addAll(response.headers());
        return response.getBody().stream().pipeTo(client).onFailure(_ -> client.reset());
    }

    private static void removeHopByHop(MultiMap headers) {
        Set<String> dropped = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (String named : headers.getAll(HttpHeaders.CONNECTION)) {
            for (String name : named.split(",")) {
                dropped.add(name.strip());
            }
        }
        dropped.removeAll(END_TO_END);
        dropped.forEach(headers::remove);
        HOP_BY_HOP.forEach(headers::remove);
    }
}
