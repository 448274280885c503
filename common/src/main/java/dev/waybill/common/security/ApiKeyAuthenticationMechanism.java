package dev.waybill.common.security;

import java.util.Set;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.audit.Actor;
import dev.waybill.common.audit.AuditEntry;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.AuthenticationRequest;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.quarkus.vertx.http.runtime.security.HttpCredentialTransport;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Reads credentials from {@code X-Api-Key} or {@code Authorization: Bearer}, and the workspace from {@code X-Tenant-Id}. */
@Singleton
class ApiKeyAuthenticationMechanism implements HttpAuthenticationMechanism {

    @Override
    public Uni<SecurityIdentity> authenticate(RoutingContext request, IdentityProviderManager identities) {
        String secret = PresentedKey.of(request);
        if (secret == null) {
            return Uni.createFrom().nullItem();
        }
        try {
            return identities.authenticate(new Credentials(secret, workspace(request)))
                    .invoke(identity -> recordCaller(request, actor(identity)));
        } catch (ProblemException e) {
            return Uni.createFrom().failure(new AuthenticationFailedException(e));
        }
    }

    private static void recordCaller(RoutingContext request, Actor actor) {
        AuditEntry.setActor(request, actor);
        PresentedKey.markAuthenticated(request);
        if (actor.tenantId() != null) {
            String tenantId = actor.tenantId().toString();
            MDC.put(LogKeys.TENANT_ID, tenantId);
            request.put(LogKeys.TENANT_ID, tenantId);
        }
    }

    private static Actor actor(SecurityIdentity identity) {
        Caller caller = identity.getAttribute(Caller.ATTRIBUTE);
        return caller == null ? Actor.OPERATOR : caller.actor();
    }

    /** Returns the workspace in {@code X-Tenant-Id}. */
    static @Nullable UUID workspace(RoutingContext request) {
        String header = request.request().getHeader("X-Tenant-Id");
        if (header == null || header.isBlank()) {
            return null;
        }
        try {
            UUID id = UUID.fromString(header.strip());
            if (header.strip().length() == 36) {
                return id;
            }
        } catch (IllegalArgumentException e) {
            // Reported below.
        }
        throw ProblemException.invalid(Violation.of("X-Tenant-Id", "must be the UUID of a workspace", "type"));
    }

    @Override
    public Uni<ChallengeData> getChallenge(RoutingContext request) {
        return Uni.createFrom().item(new ChallengeData(CommonProblem.UNAUTHENTICATED.status(), "WWW-Authenticate", "Bearer"));
    }

    @Override
    public Set<Class<? extends AuthenticationRequest>> getCredentialTypes() {
        return Set.of(Credentials.class);
    }

    @Override
    public Uni<HttpCredentialTransport> getCredentialTransport(RoutingContext request) {
        return Uni.createFrom().item(new HttpCredentialTransport(HttpCredentialTransport.Type.OTHER_HEADER, "X-Api-Key"));
    }
}
