package dev.waybill.common.audit;

import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.logging.RequestIds;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.RoutingContext;

/**
 * Describes what a request did, who sent it, and from where. Contains no body or query string, and no header other than {@code
 * User-Agent}.
 *
 * @param status null if the client disconnected before the response
 * @param path the route with the ids of the request
 * @param resourceId the created or changed resource, otherwise the last id of the path
 */
record AuditEvent(String outcome, @Nullable Integer status, String method, @Nullable String route, String path,
        @Nullable UUID resourceId, Actor actor, RequestClient client, @Nullable String requestId) {

    static final String REFUSED = "refused";

    private static final String REPLAYED = "Idempotent-Replayed";

    static AuditEvent of(RoutingContext request, AuditEntry entry, @Nullable Integer status) {
        String route = route(request, entry);
        AuditPath path = AuditPath.of(route, request.normalizedPath());
        UUID about = Optional.ofNullable(entry.resourceId()).or(() -> path.lastId().map(UUID::fromString)).orElse(null);
        return new AuditEvent(status == null ? "abandoned" : outcome(request, status), status,
                request.request().method().name(), route, path.path(), about, entry.actor(), entry.client(),
                RequestIds.of(request));
    }

    /** Returns the template of an operation, or the path of one of the server's own routes. */
    private static @Nullable String route(RoutingContext request, AuditEntry entry) {
        Route current = request.currentRoute();
        if (entry.route() != null || current == null || !current.isExactPath() || current.getPath() == null) {
            return entry.route();
        }
        return current.getPath().replaceAll(":(\\w+)", "{$1}");
    }

    private static String outcome(RoutingContext request, int status) {
        if (status < 400) {
            return request.response().headers().contains(REPLAYED) ? "replayed" : "done";
        }
        return status < 500 ? REFUSED : "failed";
    }
}
