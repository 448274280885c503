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
 * Lets in who presents a good key. Where no keys are configured at all the application is somebody's own, on their own machine:
 * then it answers calls from there, and no others.
 */
@Singleton
class KeyMechanism implements HttpAuthenticationMechanism {

    private final KnownCallers callers;
    private final ControlPlaneKeys controlPlane;

    KeyMechanism(KnownCallers callers, ControlPlaneKeys controlPlane) {
        this.callers = callers;
        this.controlPlane = controlPlane;
    }

    @Override
    public Uni<SecurityIdentity> authenticate(RoutingContext request, IdentityProviderManager identities) {
        Optional<String> known = callers.of(request);
        if (known.isPresent()) {
            return Uni.createFrom().item(identity(known.get()));
        }
        if (callers.areLocal()) {
            return refused("No API keys are configured, so only calls from this machine are answered;"
                    + " set waybill.runtime.access.keys or waybill.runtime.access.control-plane-url.");
        }
        String key = PresentedKey.of(request);
        if (key == null) {
            return Uni.createFrom().nullItem();
        }
        return controlPlane.holder(key)
                .onFailure(ProblemException.class).transform(AuthenticationFailedException::new)
                .chain(found -> found
                        .map(holder -> {
                            callers.note(request, key, holder);
                            return Uni.createFrom().item(identity(holder.principal()));
                        })
                        .orElseGet(() -> refused("The API key is unknown.")));
    }

    private static Uni<SecurityIdentity> refused(String detail) {
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
