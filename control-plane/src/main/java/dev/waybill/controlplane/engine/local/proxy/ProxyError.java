package dev.waybill.controlplane.engine.local.proxy;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.edge.StrictRequestDecoder.InvalidRequestException;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.vertx.core.buffer.Buffer;
import io.vertx.httpproxy.Body;
import io.vertx.httpproxy.ProxyRequest;
import io.vertx.httpproxy.ProxyResponse;

/** An error response of the proxy itself: a problem detail (RFC 9457) regardless of the header Accept. */
record ProxyError(int status, String slug, String title, String detail) {

    static final ProxyError UNAVAILABLE = new ProxyError(503, "unavailable", "Temporarily unavailable",
            "The application is not running at the moment; try again in a few seconds.");
    private static final String RETRY_AFTER_SECONDS = "2";
    private static final int MAX_INSTANCE = 1024;
    private static final String JSON = "application/problem+json";

    /** Rejects a request before it is forwarded. */
    static final class RejectedException extends RuntimeException {

        private final transient ProxyError error;

        RejectedException(int status, String slug, String title, String detail) {
            super(detail, null, false, false);
            this.error = new ProxyError(status, slug, title, detail);
        }
    }

    /** Returns the response to a request that cannot be decoded. */
    static FullHttpResponse invalid(Throwable cause, @Nullable HttpRequest head, boolean isBody) {
        String path = head == null || head instanceof FullHttpRequest ? null : path(head.uri());
        return error(cause, isBody).closing(path);
    }

    private static ProxyError error(Throwable cause, boolean isBody) {
        return switch (cause) {
            case RejectedException rejected -> rejected.error;
            case TooLongFrameException _ when !isBody -> new ProxyError(431, "malformed_request", "Malformed request",
                    "The headers are larger than " + ClientConnection.MAX_HEAD_BYTES + " bytes; send fewer.");
            case InvalidRequestException invalid -> malformed(String.valueOf(invalid.getMessage()));
            default -> malformed(isBody ? "The body is not valid for its Transfer-Encoding."
                    : "The request line or a header is not well-formed HTTP/1.1.");
        };
    }

    private static ProxyError malformed(String detail) {
        return new ProxyError(400, "malformed_request", "Malformed request", detail);
    }

    private FullHttpResponse closing(@Nullable String path) {
        String id = UUID.randomUUID().toString();
        byte[] body = json(id, path);
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status),
                Unpooled.wrappedBuffer(body));
        response.headers().set("Content-Type", JSON).set("X-Request-Id", id).set("Connection", "close")
                .set("Content-Length", body.length);
        if (status == UNAVAILABLE.status) {
            response.headers().set("Retry-After", RETRY_AFTER_SECONDS);
        }
        return response;
    }

    /** Returns the response to a request whose application did not respond. */
    static ProxyResponse unavailable(ProxyRequest request) {
        String id = UUID.randomUUID().toString();
        String path = path(request.getURI());
        return request.release().response()
                .setStatusCode(UNAVAILABLE.status)
                .putHeader("Content-Type", JSON)
                .putHeader("X-Request-Id", id)
                .putHeader("Retry-After", RETRY_AFTER_SECONDS)
                .setBody(Body.body(Buffer.buffer(UNAVAILABLE.json(id, path))));
    }

    private static String path(String target) {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    private byte[] json(String id, @Nullable String path) {
        String instance = path == null ? "" : ",\"instance\":\"" + escaped(path) + "\"";
        return ("{\"type\":\"urn:waybill:problem:" + slug + "\",\"title\":\"" + title + "\",\"status\":" + status
                + ",\"detail\":\"" + escaped(detail) + "\"" + instance + ",\"request_id\":\"" + id + "\"}")
                .getBytes(StandardCharsets.UTF_8);
    }

    // Request targets contain visible ASCII only.
    private static String escaped(String text) {
        String part = text.length() <= MAX_INSTANCE ? text : text.substring(0, MAX_INSTANCE);
        return part.replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
