package dev.waybill.console.oidc;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.ProblemResponses;
import dev.waybill.console.http.RequestOrigin;
import dev.waybill.console.http.RouteLabel;
import dev.waybill.console.service.Credential;
import dev.waybill.console.session.KeyDescription;
import dev.waybill.console.session.SessionCookie;
import io.quarkus.oidc.AccessTokenCredential;
import io.quarkus.security.AuthenticationRedirectException;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticator;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * {@code GET /session/oidc?return=...}: signs in by OpenID Connect. Quarkus performs the code flow and returns here with the
 * verified tokens; the access token then becomes the credential of a session, and the cookies of Quarkus are removed.
 */
@Singleton
class OidcRoutes {

    private static final Logger LOG = Logger.getLogger(OidcRoutes.class);
    private static final String OPTIONS_PATH = "/session/options";
    private static final String RETURN = "return";
    private static final List<String> ISSUER_PARAMETERS = List.of("code", "state", "error");
    private static final String STATE_COOKIE = "q_auth";
    private static final String TOKEN_COOKIE = "q_session";

    private final OidcTenant tenant;
    private final HttpAuthenticator authenticator;
    private final SessionCookie cookie;
    private final KeyDescription keys;
    private final ProblemResponses responses;

    OidcRoutes(OidcTenant tenant, HttpAuthenticator authenticator, SessionCookie cookie, KeyDescription keys,
            ProblemResponses responses) {
        this.tenant = tenant;
        this.authenticator = authenticator;
        this.cookie = cookie;
        this.keys = keys;
        this.responses = responses;
    }

    void register(@Observes Router router) {
        router.route(HttpMethod.GET, OPTIONS_PATH).order(1).handler(request -> {
            RouteLabel.set(request, OPTIONS_PATH);
            request.response().putHeader("Content-Type", "application/json")
                    .end(new JsonObject().put("single_sign_on", tenant.isEnabled()).toBuffer());
        });
        router.route(HttpMethod.GET, OidcTenant.PATH).order(1).handler(this::signIn);
    }

    private void signIn(RoutingContext request) {
        RouteLabel.set(request, OidcTenant.PATH);
        if (!tenant.isEnabled()) {
            responses.send(request,
                    new ProblemException(CommonProblem.NOT_FOUND, "Sign-in by OpenID Connect is not configured."));
        } else if (!RequestOrigin.isSecure(request.request()) && !RequestOrigin.isLoopback(request.request())) {
            fail(request, SignInFailure.HTTPS_REQUIRED, null);
        } else if (isFromIssuer(request) && !hasStateCookie(request)) {
            fail(request, SignInFailure.REJECTED, null);
        } else {
            complete(request, Uni.createFrom().deferred(() -> authenticator.attemptAuthentication(request)),
                    identity -> proceed(request, identity));
        }
    }

    /** Passes the result to {@code next} on the event loop of the request. */
    private <T> void complete(RoutingContext request, Uni<T> result, Consumer<T> next) {
        Future.fromCompletionStage(result.subscribeAsCompletionStage(), request.vertx().getOrCreateContext())
                .map(item -> {
                    next.accept(item);
                    return true;
                }).onFailure(failure -> recover(request, failure));
    }

    /** Without an identity the flow starts: the browser is redirected to the issuer. */
    private void proceed(RoutingContext request, @Nullable SecurityIdentity identity) {
        if (identity == null || identity.isAnonymous()) {
            complete(request, authenticator.getChallenge(request), challenge -> redirectToIssuer(request, challenge));
            return;
        }
        AccessTokenCredential token = identity.getCredential(AccessTokenCredential.class);
        Optional<Instant> expiry = token == null ? Optional.empty() : AccessToken.expiry(token.getToken());
        if (token == null || expiry.isEmpty()) {
            fail(request, SignInFailure.TOKEN_UNUSABLE, null);
            return;
        }
        Credential credential = Credential.ofToken(token.getToken());
        keys.describe(credential).onComplete(described -> {
            if (described.failed()) {
                fail(request, SignInFailure.SERVICES_UNAVAILABLE, described.cause());
            } else if (described.result().isEmpty()) {
                fail(request, SignInFailure.NO_ACCESS, null);
            } else {
                start(request, credential, expiry, described.result().get().getString("organization_id"));
            }
        });
    }

    private void start(RoutingContext request, Credential credential, Optional<Instant> expiry, String organization) {
        try {
            cookie.start(request.request(), credential, expiry);
        } catch (SessionCookie.CredentialTooLargeException e) {
            fail(request, SignInFailure.TOKEN_TOO_LARGE, null);
            return;
        }
        LOG.infof("a session was started by OpenID Connect: organization_id=%s", organization);
        redirect(request, ReturnPath.of(request.request().getParam(RETURN)));
    }

    private void redirectToIssuer(RoutingContext request, ChallengeData challenge) {
        HttpServerResponse response = request.response();
        if (challenge.status != 302 || response.ended() || response.closed()) {
            fail(request, SignInFailure.REJECTED, null);
            return;
        }
        challenge.getHeaders().forEach((name, value) -> response.putHeader(name.toString(), value));
        response.setStatusCode(challenge.status).end();
    }

    private void recover(RoutingContext request, Throwable failure) {
        if (failure instanceof AuthenticationRedirectException redirect) {
            // To this address, without the parameters of the issuer and with the tokens in a cookie.
            request.response().setStatusCode(redirect.getCode()).putHeader("Location", redirect.getRedirectUri()).end();
        } else if (isConnectionFailure(failure) || !isFromIssuer(request) && !hasCookie(request, TOKEN_COOKIE)) {
            fail(request, SignInFailure.ISSUER_UNAVAILABLE, failure);
        } else {
            fail(request, SignInFailure.REJECTED, failure);
        }
    }

    /** Opens the sign-in page with the reason, as people open this address by a link. */
    private void fail(RoutingContext request, SignInFailure reason, @Nullable Throwable cause) {
        // Messages of causes can contain claims of users; the framework logs them where that is safe.
        LOG.warnf("a sign-in by OpenID Connect failed: %s%s", reason.code(),
                cause == null ? "" : " (" + cause.getClass().getSimpleName() + ")");
        String page = ReturnPath.of(request.request().getParam(RETURN));
        redirect(request, "/sign-in?error=" + reason.code()
                + (page.equals(ReturnPath.START_PAGE) ? "" : "&return=" + URLEncoder.encode(page, StandardCharsets.UTF_8)));
    }

    private static void redirect(RoutingContext request, String path) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            return;
        }
        request.request().cookies().stream().map(Cookie::getName).filter(name -> name.startsWith(TOKEN_COOKIE)).distinct()
                .forEach(name -> response.addCookie(Cookie.cookie(name, "").setPath(OidcTenant.PATH).setHttpOnly(true)
                        .setSecure(RequestOrigin.isSecure(request.request())).setMaxAge(0)));
        response.setStatusCode(302).putHeader("Location", path).end();
    }

    private static boolean isFromIssuer(RoutingContext request) {
        return ISSUER_PARAMETERS.stream().anyMatch(request.queryParams()::contains);
    }

    /** Returns whether this browser sent the request to which the issuer responds. */
    private static boolean hasStateCookie(RoutingContext request) {
        List<String> states = request.queryParams().getAll("state");
        return states.size() == 1 && request.request().cookies().stream().map(Cookie::getName)
                .anyMatch(name -> name.startsWith(STATE_COOKIE) && name.endsWith("_" + states.getFirst()));
    }

    private static boolean hasCookie(RoutingContext request, String prefix) {
        return request.request().cookies().stream().anyMatch(one -> one.getName().startsWith(prefix));
    }

    private static boolean isConnectionFailure(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).anyMatch(cause -> cause instanceof IOException
                || cause instanceof TimeoutException || cause instanceof HttpClosedException);
    }
}
