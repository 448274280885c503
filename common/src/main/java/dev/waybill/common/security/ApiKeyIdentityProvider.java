package dev.waybill.common.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;

import jakarta.inject.Singleton;

import dev.waybill.common.api.account.KeyRole;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.AuthenticationRequestContext;
import io.quarkus.security.identity.IdentityProvider;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.smallrye.mutiny.Uni;

/** Creates the identity for an API key, the operator's key or a bearer token. */
@Singleton
class ApiKeyIdentityProvider implements IdentityProvider<Credentials> {

    private final ApiKeyLookup keys;
    private final BearerTokens tokens;
    private final Optional<byte[]> operatorKey;

    ApiKeyIdentityProvider(ApiKeyLookup keys, BearerTokens tokens, OperatorConfig operator) {
        this.keys = keys;
        this.tokens = tokens;
        this.operatorKey = operator.key().map(key -> key.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Class<Credentials> getRequestType() {
        return Credentials.class;
    }

    @Override
    public Uni<SecurityIdentity> authenticate(Credentials credentials, AuthenticationRequestContext context) {
        return authenticate(credentials);
    }

    /** Returns the identity; fails with {@link AuthenticationFailedException} if the credentials are invalid. */
    Uni<SecurityIdentity> authenticate(Credentials credentials) {
        if (isOperator(credentials.secret())) {
            return Uni.createFrom().item(identity("operator", Set.of(Role.OPERATOR)).build());
        }
        return caller(credentials)
                .map(ApiKeyIdentityProvider::identity)
                .onFailure(ProblemException.class).transform(AuthenticationFailedException::new);
    }

    private Uni<Caller> caller(Credentials credentials) {
        Optional<ApiKey> key = ApiKey.parse(credentials.secret());
        if (key.isPresent()) {
            return keys.caller(key.get(), credentials.workspaceHeader());
        }
        return tokens.isToken(credentials.secret())
                ? tokens.caller(credentials.secret(), credentials.workspaceHeader())
                : Uni.createFrom().failure(new ProblemException(CommonProblem.UNAUTHENTICATED, "The API key is unknown."));
    }

    private boolean isOperator(String secret) {
        return operatorKey.isPresent() && MessageDigest.isEqual(operatorKey.get(), secret.getBytes(StandardCharsets.UTF_8));
    }

    private static SecurityIdentity identity(Caller caller) {
        return identity(String.valueOf(caller.apiKeyId()), roles(caller))
                .addAttribute(Caller.ATTRIBUTE, caller)
                .build();
    }

    private static Set<String> roles(Caller caller) {
        if (caller.application()) {
            return Set.of(Role.APPLICATIONS);
        }
        return caller.role() == KeyRole.ADMIN ? Set.of(Role.ADMINS, Role.MEMBERS, Role.APPLICATIONS)
                : Set.of(Role.MEMBERS, Role.APPLICATIONS);
    }

    private static QuarkusSecurityIdentity.Builder identity(String name, Set<String> roles) {
        return QuarkusSecurityIdentity.builder()
                .setPrincipal(new QuarkusPrincipal(name))
                .addRoles(roles);
    }
}
