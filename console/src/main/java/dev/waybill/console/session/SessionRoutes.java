package dev.waybill.console.session;

import java.time.Instant;
import java.util.Optional;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.ProblemResponses;
import dev.waybill.common.problem.ProblemType;
import dev.waybill.console.http.ConsoleProblem;
import dev.waybill.console.http.RequestOrigin;
import dev.waybill.console.http.RouteLabel;
import dev.waybill.console.service.Credential;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.DecodeException;
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

    private final SessionCookie cookie;
    private final KeyDescription keys;
    private final SignInCodes codes;
    private final ProblemResponses responses;

    SessionRoutes(SessionCookie cookie, KeyDescription keys, SignInCodes codes, ProblemResponses responses) {
        this.cookie = cookie;
        this.keys = keys;
        this.codes = codes;
        this.responses = responses;
    }

    void register(@Observes Router router) {
        router.route(PATH).order(0).handler(request -> {
            RouteLabel.set(request, PATH);
            request.next();
        });
        router.route(HttpMethod.GET, PATH).order(1).handler(this::read);
        router.route(HttpMethod.POST, PATH).order(1).handler(this::signIn);
        router.route(HttpMethod.DELETE, PATH).order(1).handler(this::signOut);
        router.route(PATH).order(2).handler(request -> {
            request.response().putHeader("Allow", "GET, POST, DELETE");
            respond(request, CommonProblem.METHOD_NOT_ALLOWED, "/session supports GET, POST and DELETE.");
        });
    }

    private void read(RoutingContext request) {
        Optional<Session> session = cookie.read(request.request());
        if (session.isEmpty()) {
            respond(request, ConsoleProblem.SESSION_REQUIRED,
                    "There is no session, or it has expired; sign in.");
            return;
        }
        keys.describe(session.get().credential()).onComplete(described -> {
            if (described.failed()) {
                unavailable(request, described.cause());
            } else if (described.result().isEmpty()) {
                cookie.end(request.request());
                respond(request, ConsoleProblem.SESSION_REQUIRED,
                        "The key or token of the session is no longer valid; sign in again.");
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
            respond(request, ConsoleProblem.HTTPS_REQUIRED,
                    "The console accepts API keys over https only, except on localhost.");
            return;
        }
        Buffer body = Buffer.buffer();
        request.request().handler(chunk -> {
            if (body.length() + chunk.length() <= MAX_BODY) {
                body.appendBuffer(chunk);
            } else {
                request.request().handler(null);
                respond(request, CommonProblem.TOO_LARGE, "The body must have at most " + MAX_BODY + " bytes.");
            }
        });
        request.request().endHandler(ignored -> signIn(request, body));
        request.request().resume();
    }

    private void signIn(RoutingContext request, Buffer body) {
        if (request.response().ended()) {
            return;
        }
        Optional<String> code = codes.isEnabled() ? member(body, "code") : Optional.empty();
        Optional<String> apiKey = code.isPresent() ? code.flatMap(codes::redeem) : member(body, "api_key");
        if (apiKey.isPresent()) {
            start(request, apiKey.get());
        } else if (code.isPresent()) {
            respond(request, ConsoleProblem.INVALID_SIGN_IN_CODE,
                    "The sign-in address was used before or is older than five minutes; sign in with an API key.");
        } else {
            respond(request, CommonProblem.MALFORMED_REQUEST, "The body must be a JSON object with the member api_key.");
        }
    }

    private void start(RoutingContext request, String apiKey) {
        keys.describe(Credential.ofKey(apiKey)).onComplete(described -> {
            if (described.failed()) {
                unavailable(request, described.cause());
            } else if (described.result().isEmpty()) {
                respond(request, ConsoleProblem.INVALID_API_KEY, "The API key is unknown, revoked or expired.");
            } else {
                JsonObject description = described.result().get();
                Optional<Instant> expiry = Optional.ofNullable(description.getString("key_expires_at")).map(Instant::parse);
                Session session = cookie.start(request.request(), Credential.ofKey(apiKey), expiry);
                LOG.infof("a session was started: organization_id=%s", description.getString("organization_id"));
                respond(request, description, session);
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

    private boolean isForged(RoutingContext request) {
        if (RequestOrigin.isSameOrigin(request.request())) {
            return false;
        }
        respond(request, ConsoleProblem.CROSS_ORIGIN_REQUEST, "The console accepts changes from its own pages only.");
        return true;
    }

    private void unavailable(RoutingContext request, Throwable cause) {
        LOG.warnf("The control-plane does not respond: %s", cause.toString());
        respond(request, CommonProblem.UNAVAILABLE,
                "The control-plane does not respond, so the key or token cannot be checked.");
    }

    private void respond(RoutingContext request, ProblemType type, String detail) {
        if (!request.response().ended() && !request.response().closed()) {
            responses.send(request, new ProblemException(type, detail));
        }
    }

    private static void respond(RoutingContext request, JsonObject described, Session session) {
        if (!request.response().closed()) {
            request.response().putHeader("Content-Type", "application/json").putHeader("Cache-Control", "no-store")
                    .end(described.copy().put("expires_at", session.expiresAt().toString()).toBuffer());
        }
    }

    /** Returns the text of a member that can be the value of a header: visible ASCII. */
    static Optional<String> member(Buffer body, String name) {
        try {
            return body.toJson() instanceof JsonObject json && json.getValue(name) instanceof String text
                    ? Optional.of(text.strip()).filter(SessionRoutes::isPresentable)
                    : Optional.empty();
        } catch (DecodeException e) {
            return Optional.empty();
        }
    }

    private static boolean isPresentable(String text) {
        return !text.isEmpty() && text.length() <= MAX_KEY && text.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }
}
