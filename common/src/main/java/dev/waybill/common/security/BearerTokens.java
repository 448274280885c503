package dev.waybill.common.security;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jose4j.http.Get;
import org.jose4j.http.SimpleGet;
import org.jose4j.http.SimpleResponse;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwk.HttpsJwks;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumer;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.jose4j.keys.resolvers.HttpsJwksVerificationKeyResolver;
import org.jose4j.lang.UnresolvableKeyException;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.account.KeyRole;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.reactive.Blocking;
import io.smallrye.mutiny.Uni;

/** Validates JSON Web Tokens of the configured issuer; the claim {@code tenant_id} contains the workspace. */
@Singleton
class BearerTokens {

    private static final Logger LOG = Logger.getLogger(BearerTokens.class);
    private static final int CLOCK_SKEW_SECONDS = 30;
    /** How long expired keys stay valid after each failed attempt to fetch the issuer's key set. */
    private static final Duration RETENTION_DURING_OUTAGE = Duration.ofMinutes(10);

    private final ApiKeyLookup accounts;
    private final Blocking blocking;
    private final JwtConfig config;
    private final KeySetFetcher keySet = new KeySetFetcher();
    private final Optional<JwtConsumer> consumer;

    BearerTokens(ApiKeyLookup accounts, Blocking blocking, JwtConfig config) {
        this.accounts = accounts;
        this.blocking = blocking;
        this.config = config;
        this.consumer = config.issuer().isPresent() && config.jwksUrl().isPresent()
                ? Optional.of(consumer(config, config.issuer().get(), config.jwksUrl().get()))
                : Optional.empty();
    }

    boolean isToken(String text) {
        return consumer.isPresent() && text.chars().filter(character -> character == '.').count() == 2;
    }

    /** Returns the caller of the token, or fails with the problem to return. */
    Uni<Caller> caller(String token, @Nullable UUID workspaceHeader) {
        return blocking.call(() -> claims(token))
                .chain(claims -> caller(claims, workspaceHeader));
    }

    private Uni<Caller> caller(Claims claims, @Nullable UUID workspaceHeader) {
        if (workspaceHeader != null && !workspaceHeader.equals(claims.workspaceId())) {
            return Uni.createFrom().failure(ApiKeyLookup.workspaceForbidden());
        }
        return accounts.organizationOf(claims.workspaceId())
                .map(found -> found.orElseThrow(() -> unauthenticated("The bearer token names an unknown workspace.", null)))
                .map(organization -> new Caller(organization.id(), organization.plan(), claims.workspaceId(), true, null,
                        claims.subject(), claims.role(), false, null));
    }

    private Claims claims(String token) {
        try {
            JwtClaims claims = consumer.orElseThrow().processToClaims(token);
            String role = claims.getClaimValueAsString(config.roleClaim());
            return new Claims(UUID.fromString(claims.getStringClaimValue("tenant_id")), claims.getSubject(),
                    Role.ADMINS.equals(role) ? KeyRole.ADMIN : KeyRole.MEMBER);
        } catch (InvalidJwtException | MalformedClaimException | IllegalArgumentException | NullPointerException e) {
            LOG.debug("a bearer token was rejected", e);
            if (isCausedBy(e, IOException.class) || keySet.hasFailed() && isCausedBy(e, UnresolvableKeyException.class)) {
                throw new ProblemException(CommonProblem.UNAVAILABLE,
                        "The keys for bearer tokens cannot be fetched from their issuer; retry later.", e);
            }
            throw unauthenticated("The bearer token is not valid: check its issuer, expiry and the claim tenant_id.", e);
        }
    }

    private static boolean isCausedBy(Throwable failure, Class<? extends Throwable> type) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).anyMatch(type::isInstance);
    }

    private static ProblemException unauthenticated(String detail, @Nullable Throwable cause) {
        return new ProblemException(CommonProblem.UNAUTHENTICATED, detail, cause);
    }

    private JwtConsumer consumer(JwtConfig config, String issuer, String jwksUrl) {
        JwtConsumerBuilder builder = new JwtConsumerBuilder()
                .setVerificationKeyResolver(new HttpsJwksVerificationKeyResolver(cachedKeySet(jwksUrl)))
                .setJwsAlgorithmConstraints(AlgorithmConstraints.ConstraintType.PERMIT,
                        AlgorithmIdentifiers.RSA_USING_SHA256, AlgorithmIdentifiers.ECDSA_USING_P256_CURVE_AND_SHA256)
                .setExpectedIssuer(issuer)
                .setRequireExpirationTime()
                .setAllowedClockSkewInSeconds(CLOCK_SKEW_SECONDS);
        config.audience().ifPresentOrElse(builder::setExpectedAudience, builder::setSkipDefaultAudienceValidation);
        return builder.build();
    }

    private HttpsJwks cachedKeySet(String jwksUrl) {
        HttpsJwks keys = new HttpsJwks(jwksUrl);
        keys.setSimpleHttpGet(keySet);
        keys.setRetainCacheOnErrorDuration(RETENTION_DURING_OUTAGE.toSeconds());
        return keys;
    }

    private record Claims(UUID workspaceId, @Nullable String subject, KeyRole role) {
    }

    /**
     * Fetches an issuer's key set within seconds and fails fast for a short time after a failure: requests with unknown key ids
     * would otherwise queue for one timeout each.
     */
    private static final class KeySetFetcher implements SimpleGet {

        private static final Duration TIMEOUT = Duration.ofSeconds(3);
        private static final Duration RETRY_DELAY = Duration.ofSeconds(2);

        private final SimpleGet http;
        private final LongSupplier nanoTime;
        private volatile long failedAt;
        private volatile boolean failed;

        KeySetFetcher() {
            this(http(), System::nanoTime);
        }

        KeySetFetcher(SimpleGet http, LongSupplier nanoTime) {
            this.http = http;
            this.nanoTime = nanoTime;
        }

        @Override
        public SimpleResponse get(String location) throws IOException {
            if (failed && nanoTime.getAsLong() - failedAt < RETRY_DELAY.toNanos()) {
                throw new IOException("The issuer's key set could not be fetched; the next attempt follows within seconds.");
            }
            try {
                SimpleResponse response = http.get(location);
                failed = false;
                return response;
            } catch (IOException e) {
                failedAt = nanoTime.getAsLong();
                failed = true;
                throw e;
            }
        }

        /** Returns whether the last attempt failed; an unknown key may then still exist at the issuer. */
        boolean hasFailed() {
            return failed;
        }

        private static SimpleGet http() {
            Get get = new Get();
            get.setConnectTimeout((int) TIMEOUT.toMillis());
            get.setReadTimeout((int) TIMEOUT.toMillis());
            get.setRetries(0);
            return get;
        }
    }
}
