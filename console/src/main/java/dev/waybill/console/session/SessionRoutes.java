package dev.waybill.console.session;

import java.time.Instant;
import java.util.Optional;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.console.http.Problem;
import dev.waybill.console.http.RequestOrigin;
import dev.waybill.console.proxy.Service;
import dev.waybill.console.proxy.ServiceClient;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/** {@code /session}: sign in with an API key, read the session, sign out. */
@Singleton
class SessionRoutes {

    private static final Logger LOG = Logger.getLogger(SessionRoutes.class);
    private static final String PATH = "/session";
    private static final int MAX_BODY = 4096;
    private static final int MAX_KEY = 512;
    private static final int MAX_WORKSPACES = 100;

    private final SessionCookie cookie;
    private final ServiceClient services;

    SessionRoutes(SessionCookie cookie, ServiceClient services) {
        this.cookie = cookie;
        this.services = services;
    }

    void register(@Observes Router router) {
        router.route(HttpMethod.GET, PATH).order(1).handler(this::read);
        router.route(HttpMethod.POST, PATH).order(1).handler(this::signIn);
        router.route(HttpMethod.DELETE, PATH).order(1).handler(this::signOut);
        router.route(PATH).order(2).handler(request -> {
            request.response().putHeader("Allow", "GET, POST, DELETE");
            Problem.METHOD_NOT_ALLOWED.respond(request, "/session supports GET, POST and DELETE.");
        });
    }

    private void read(RoutingContext request) {
        Optional<Session> session = cookie.read(request.request());
        if (session.isEmpty()) {
            Problem.SESSION_REQUIRED.respond(request, "There is no session, or it has expired; sign in with an API key.");
            return;
        }
        describe(session.get().apiKey()).onComplete(described -> {
            if (described.failed()) {
                unavailable(request, described.cause());
            } else if (described.result().isEmpty()) {
                cookie.end(request.request());
                Problem.SESSION_REQUIRED.respond(request, "The API key of the session is no longer valid; sign in again.");
            } else {
                respond(request, described.result().get(), session.get());
            }
        });
    }

    private void signIn(RoutingContext request) {
        if (isForged(request)) {
            return;
        }
        if (!RequestOrigin.isSecure(request.request()) && !RequestOrigin.isLoopback(request.request())) {
            Problem.HTTPS_REQUIRED.respond(request, "The console accepts API keys over https only, except on localhost.");
            return;
        }
        Buffer body = Buffer.buffer();
        request.request().handler(chunk -> {
            if (body.length() + chunk.length() <= MAX_BODY) {
                body.appendBuffer(chunk);
            } else {
                request.request().handler(null);
                Problem.BODY_TOO_LARGE.respond(request, "The body must have at most " + MAX_BODY + " bytes.");
            }
        });
        request.request().endHandler(ignored -> signIn(request, body));
        request.request().resume();
    }

    private void signIn(RoutingContext request, Buffer body) {
        if (request.response().ended()) {
            return;
        }
        Optional<String> apiKey = apiKey(body);
        if (apiKey.isEmpty()) {
            Problem.INVALID_REQUEST.respond(request, "The body must be a JSON object with the member api_key.");
            return;
        }
        describe(apiKey.get()).onComplete(described -> {
            if (described.failed()) {
                unavailable(request, described.cause());
            } else if (described.result().isEmpty()) {
                Problem.INVALID_API_KEY.respond(request, "The API key is unknown, revoked or expired.");
            } else {
                Optional<Instant> expiry = Optional.ofNullable(described.result().get().getString("key_expires_at"))
                        .map(Instant::parse);
                Session session = cookie.start(request.request(), apiKey.get(), expiry);
                respond(request, described.result().get(), session);
            }
        });
    }

    private void signOut(RoutingContext request) {
        if (isForged(request)) {
            return;
        }
        cookie.end(request.request());
        request.response().setStatusCode(204).end();
    }

    private static boolean isForged(RoutingContext request) {
        if (RequestOrigin.isSameOrigin(request.request())) {
            return false;
        }
        Problem.CROSS_ORIGIN_REQUEST.respond(request, "The console accepts changes from its own pages only.");
        return true;
    }

    private static void respond(RoutingContext request, JsonObject described, Session session) {
        request.response().putHeader("Content-Type", "application/json").putHeader("Cache-Control", "no-store")
                .end(described.copy().put("expires_at", session.expiresAt().toString()).toBuffer());
    }

    private static void unavailable(RoutingContext request, Throwable cause) {
        LOG.warnf("The control-plane does not respond: %s", cause.toString());
        Problem.SERVICE_UNAVAILABLE.respond(request, "The control-plane does not respond, so the API key cannot be checked.");
    }

    private static Optional<String> apiKey(Buffer body) {
        try {
            return body.toJson() instanceof JsonObject json && json.getValue("api_key") instanceof String key
                    ? Optional.of(key.strip()).filter(SessionRoutes::isPresentable)
                    : Optional.empty();
        } catch (DecodeException e) {
            return Optional.empty();
        }
    }

    /** Header values are visible ASCII. */
    private static boolean isPresentable(String key) {
        return !key.isEmpty() && key.length() <= MAX_KEY && key.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }

    /** Returns the key's organization, role and workspaces; empty if the key is not valid. */
    private Future<Optional<JsonObject>> describe(String apiKey) {
        return services.get(Service.CONTROL_PLANE, "/v1/whoami", apiKey, null).compose(whoami -> switch (whoami.status()) {
            case 200 -> workspaces(apiKey, whoami.body()).map(list -> Optional.of(description(whoami.body(), list)));
            case 401, 403 -> Future.succeededFuture(Optional.empty());
            default -> Future.failedFuture("GET /v1/whoami returned " + whoami.status());
        });
    }

    private static JsonObject description(JsonObject whoami, JsonArray workspaces) {
        return new JsonObject()
                .put("organization_id", whoami.getString("organization_id"))
                .put("plan", whoami.getString("plan"))
                .put("role", whoami.getString("role"))
                .put("tenant_id", whoami.getString("tenant_id"))
                .put("key_expires_at", whoami.getString("expires_at"))
                .put("workspaces", workspaces);
    }

    /** Keys without permission to list workspaces have one only: their own. */
    private Future<JsonArray> workspaces(String apiKey, JsonObject whoami) {
        return services.get(Service.CONTROL_PLANE, "/v1/workspaces?limit=" + MAX_WORKSPACES, apiKey, null).map(listed -> {
            JsonArray names = new JsonArray();
            if (listed.status() == 200) {
                listed.body().getJsonArray("resources", names).forEach(item -> names.add(name((JsonObject) item)));
            }
            String own = whoami.getString("tenant_id");
            if (names.isEmpty() && own != null) {
                names.add(new JsonObject().put("id", own).putNull("name"));
            }
            return names;
        });
    }

    private static JsonObject name(JsonObject workspace) {
        return new JsonObject().put("id", workspace.getString("id")).put("name", workspace.getString("name"));
    }
}
