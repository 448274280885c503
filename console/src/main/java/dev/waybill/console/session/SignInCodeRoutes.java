package dev.waybill.console.session;

import java.util.Optional;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.quarkus.vertx.http.ManagementInterface;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;

/**
 * {@code POST /sign-in-codes} of the management interface: creates a one-time code. The route exists only with
 * {@code waybill.console.sign-in-key}, which the caller sends as bearer token.
 */
@Singleton
class SignInCodeRoutes {

    private static final String PATH = "/sign-in-codes";
    private static final String BEARER = "Bearer ";

    private final SignInCodes codes;

    SignInCodeRoutes(SignInCodes codes) {
        this.codes = codes;
    }

    void register(@Observes ManagementInterface management) {
        if (codes.isEnabled()) {
            management.router().post(PATH).handler(this::create);
        }
    }

    private void create(RoutingContext request) {
        String authorization = request.request().getHeader("Authorization");
        if (authorization == null || !authorization.startsWith(BEARER)
                || !codes.isKey(authorization.substring(BEARER.length()))) {
            request.response().setStatusCode(401).end();
            return;
        }
        Buffer body = request.body().buffer();
        Optional<String> apiKey = body == null ? Optional.empty() : SessionRoutes.member(body, "api_key");
        if (apiKey.isEmpty()) {
            request.response().setStatusCode(400).end();
            return;
        }
        request.response().putHeader("Content-Type", "application/json").putHeader("Cache-Control", "no-store")
                .end(new JsonObject().put("code", codes.create(apiKey.get())).toBuffer());
    }
}
