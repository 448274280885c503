package dev.waybill.common.security;

import jakarta.inject.Singleton;

import io.quarkus.security.AuthenticationFailedException;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Authenticates the caller of a long response again, so that it ends soon after the key was revoked or has expired. */
@Singleton
public class CallerRevalidation {

    private final ApiKeyIdentityProvider identities;

    CallerRevalidation(ApiKeyIdentityProvider identities) {
        this.identities = identities;
    }

    /**
     * Returns whether the credentials of an authenticated request are still valid; also true if that cannot be checked now. A
     * revoked key is found when it is no longer cached ({@link KeysConfig#cacheTtl}).
     */
    public Uni<Boolean> isValid(RoutingContext request) {
        String secret = PresentedKey.of(request);
        if (secret == null) {
            return Uni.createFrom().item(false);
        }
        return identities.authenticate(new Credentials(secret, ApiKeyAuthenticationMechanism.workspace(request)))
                .replaceWith(true)
                .onFailure(AuthenticationFailedException.class).recoverWithItem(false)
                .onFailure().recoverWithItem(true);
    }
}
