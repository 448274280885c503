package dev.waybill.console.http;

import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;

/** A problem detail (RFC 9457) of the console, in the form of the services' own. */
public enum Problem {

    INVALID_REQUEST(400, "Invalid request"),
    SESSION_REQUIRED(401, "Session required"),
    INVALID_API_KEY(401, "Invalid API key"),
    CROSS_ORIGIN_REQUEST(403, "Cross-origin request"),
    HTTPS_REQUIRED(403, "HTTPS required"),
    NOT_FOUND(404, "Not found"),
    METHOD_NOT_ALLOWED(405, "Method not allowed"),
    BODY_TOO_LARGE(413, "Body too large"),
    SERVICE_UNAVAILABLE(503, "Service unavailable");

    /** The media type of problem details. */
    public static final String MEDIA_TYPE = "application/problem+json";

    private final int status;
    private final String title;

    Problem(int status, String title) {
        this.status = status;
        this.title = title;
    }

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }

    /**
     * Returns the body.
     *
     * @param detail one sentence: what is wrong and what to do
     */
    public JsonObject body(String detail, String instance) {
        return new JsonObject()
                .put("type", "urn:waybill:problem:" + name().toLowerCase(java.util.Locale.ROOT))
                .put("title", title)
                .put("status", status)
                .put("detail", detail)
                .put("instance", instance);
    }

    /** Ends the request with this problem. */
    public void respond(RoutingContext request, String detail) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(status).putHeader("Content-Type", MEDIA_TYPE).putHeader("Cache-Control", "no-store");
        if (status == 503) {
            response.putHeader("Retry-After", "5");
        }
        response.end(body(detail, request.normalizedPath()).toBuffer());
    }
}
