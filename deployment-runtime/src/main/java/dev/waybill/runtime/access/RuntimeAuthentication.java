package dev.waybill.runtime.access;

import java.util.Optional;
import java.util.Set;

import jakarta.inject.Singleton;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.security.PresentedKey;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.AuthenticationRequest;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/**
 * Authenticates requests by API key. Without any configured keys, the application is a local development instance: it accepts
 * requests from the loopback interface only.
 */
@Singleton
class RuntimeAuthentication implements HttpAuthenticationMechanism {

    private final CallerResolver callers;
    private final ControlPlaneKeyVerifier controlPlane;

    RuntimeAuthentication(CallerResolver callers, ControlPlaneKeyVerifier controlPlane) {
        this.callers = callers;
        this.controlPlane = controlPlane;
    }

    @Override
    public Uni<SecurityIdentity> authenticate(RoutingContext request, IdentityProviderManager identities) {
        Optional<String> resolved = callers.of(request);
        if (resolved.isPresent()) {
            return Uni.createFrom().item(identity(resolved.get()));
        }
        if (callers.allowsOnlyLoopback()) {
            return unauthenticated("No API keys are configured, so only requests from this machine are accepted;"
                    + " set waybill.runtime.access.keys or waybill.runtime.access.control-plane-url.");
        }
        String key = PresentedKey.of(request);
        if (key == null) {
            return Uni.createFrom().nullItem();
        }
        return controlPlane.verify(key)
                .onFailure(ProblemException.class).transform(AuthenticationFailedException::new)
                .chain(found -> found
                        .map(principal -> {
                            callers.recordKey(request, key, principal);
                            return Uni.createFrom().item(identity(principal.name()));
                        })
                        .orElseGet(() -> unauthenticated("The API key is unknown.")));
    }

    private static Uni<SecurityIdentity> unauthenticated(String detail) {
        return Uni.createFrom().failure(
                new AuthenticationFailedException(new ProblemException(CommonProblem.UNAUTHENTICATED, detail)));
    }

    private static SecurityIdentity identity(String principal) {
        return QuarkusSecurityIdentity.builder().setPrincipal(new QuarkusPrincipal(principal)).build();
    }

    @Override
    public Uni<ChallengeData> getChallenge(RoutingContext request) {
        return Uni.createFrom().item(new ChallengeData(CommonProblem.UNAUTHENTICATED.status(), "WWW-Authenticate", "Bearer"));
    }

    @Override
    public Set<Class<? extends AuthenticationRequest>> getCredentialTypes() {
        return Set.of();
    }
}
