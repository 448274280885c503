package dev.waybill.controlplane.engine.local.proxy;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * An error response of the proxy itself: a problem detail (RFC 9457) regardless of the header Accept; it closes the connection.
 */
record ProxyError(int status, String reason, String slug, String title, String detail) {

    static final ProxyError UNAVAILABLE = new ProxyError(503, "Service Unavailable", "unavailable",
            "Temporarily unavailable", "The application is not running at the moment; try again in a few seconds.");
    private static final int RETRY_AFTER_SECONDS = 2;
    private static final int MAX_INSTANCE = 1024;

    /** @param request null if its head could not be read */
    byte[] bytes(@Nullable HttpHead request) {
        String id = UUID.randomUUID().toString();
        byte[] body = json(id, request == null ? null : request.path()).getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + status + " " + reason + "\r\nContent-Type: application/problem+json\r\nX-Request-Id: " + id
                + (status == UNAVAILABLE.status() ? "\r\nRetry-After: " + RETRY_AFTER_SECONDS : "")
                + "\r\nConnection: close\r\nContent-Length: " + body.length + "\r\n\r\n";
        boolean withBody = request == null || !request.method().equals("HEAD");
        byte[] start = head.getBytes(StandardCharsets.US_ASCII);
        byte[] all = new byte[start.length + (withBody ? body.length : 0)];
        System.arraycopy(start, 0, all, 0, start.length);
        System.arraycopy(body, 0, all, start.length, all.length - start.length);
        return all;
    }

    private String json(String id, @Nullable String path) {
        String instance = path == null ? "" : ",\"instance\":\"" + escaped(path) + "\"";
        return "{\"type\":\"urn:waybill:problem:" + slug + "\",\"title\":\"" + title + "\",\"status\":" + status
                + ",\"detail\":\"" + escaped(detail) + "\"" + instance + ",\"request_id\":\"" + id + "\"}";
    }

    // Request targets contain visible ASCII only.
    private static String escaped(String text) {
        String part = text.length() <= MAX_INSTANCE ? text : text.substring(0, MAX_INSTANCE);
        return part.replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
