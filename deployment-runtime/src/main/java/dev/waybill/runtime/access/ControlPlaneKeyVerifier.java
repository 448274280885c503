package dev.waybill.runtime.access;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import dev.waybill.common.audit.Actor;
import dev.waybill.common.id.Digests;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.telemetry.Telemetry;
import dev.waybill.common.telemetry.TraceParent;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;

/**
 * Verifies API keys with the control plane ({@code GET /v1/whoami}) and caches the results for a short time. While the control
 * plane is unavailable, keys that were valid remain accepted (contract.md "Accounts and keys").
 */
@Singleton
class ControlPlaneKeyVerifier {

    private static final Logger LOG = Logger.getLogger(ControlPlaneKeyVerifier.class);
    /** Together with the interval of {@link KeyRecheckTimer}, a revoked key ends its streams within 30 s. */
    private static final Duration MAX_CACHE_TTL = Duration.ofSeconds(30).minus(KeyRecheckTimer.INTERVAL);
    private static final int MAX_CONNECTIONS = 16;
    private static final int MAX_CACHED_KEYS = 10_000;

    private final AccessConfig config;
    private final HttpClient client;
    private final KeyCache cache;
    private final Telemetry telemetry;

    ControlPlaneKeyVerifier(AccessConfig config, Vertx vertx, Clock clock, Telemetry telemetry) {
        if (config.cacheTtl().compareTo(MAX_CACHE_TTL) > 0) {
            throw new IllegalStateException(
                    "waybill.runtime.access.cache-ttl must be at most 25s, so that revoked keys are rejected in time");
        }
        this.config = config;
        this.telemetry = telemetry;
        this.client = vertx.createHttpClient(new HttpClientOptions()
                .setConnectTimeout((int) config.timeout().toMillis())
                .setMaxPoolSize(MAX_CONNECTIONS));
        this.cache = new KeyCache(clock, config.cacheTtl(), config.gracePeriod(), MAX_CACHED_KEYS);
    }

    boolean configured() {
        return config.controlPlaneUrl().isPresent();
    }

    /** Returns the principal of the key if it was verified within {@code cache-ttl}. */
    Optional<Principal> cached(String key) {
        return configured() ? cache.get(hash(key)).flatMap(KeyCache.Entry::principal) : Optional.empty();
    }

    /**
     * Returns the principal of the key, or empty if the key does not give access to this application. Fails with the problem to
     * respond with when neither control plane nor cache knows the key.
     */
    Uni<Optional<Principal>> verify(String key) {
        if (!configured()) {
            return Uni.createFrom().item(Optional.empty());
        }
        String hash = hash(key);
        return cache.get(hash)
                .map(cached -> Uni.createFrom().item(cached.principal()))
                .orElseGet(() -> requestWithRetry(key)
                        .invoke(principal -> cache.put(hash, principal))
                        .onFailure().recoverWithUni(failure -> fallback(hash, failure)));
    }

    private static String hash(String key) {
        return Digests.sha256Hex(key);
    }

    private Uni<Optional<Principal>> fallback(String hash, Throwable failure) {
        LOG.warnf("cannot verify a key with the control plane: %s", failure.getMessage());
        Optional<Principal> principal = cache.getWithinGracePeriod(hash);
        return principal.isPresent()
                ? Uni.createFrom().item(principal)
                : Uni.createFrom().failure(() -> new ProblemException(CommonProblem.UNAVAILABLE,
                        "The API key cannot be verified because the control plane does not respond.")
                        .retryAfter(config.timeout()));
    }

    /** Retries once on another connection: a replica of the control plane that shuts down closes its connections. */
    private Uni<Optional<Principal>> requestWithRetry(String key) {
        return requestPrincipal(key).onFailure(failure -> !(failure instanceof TimeoutException)).retry().atMost(1);
    }

    private Uni<Optional<Principal>> requestPrincipal(String key) {
        RequestOptions request = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setAbsoluteURI(config.controlPlaneUrl().orElseThrow().toString().replaceAll("/+$", "") + "/v1/whoami")
                .setTimeout(config.timeout().toMillis())
                .putHeader("X-Api-Key", key);
        config.workspaceId().ifPresent(id -> request.putHeader("X-Tenant-Id", id));
        return Uni.createFrom().completionStage(() -> call(request).toCompletionStage());
    }

    // The body is read on the event loop of the response: another thread could subscribe after the body has ended.
    private Future<Optional<Principal>> call(RequestOptions request) {
        Span span = telemetry.startSpan("GET /v1/whoami", SpanKind.CLIENT);
        String traceParent = TraceParent.format(span.getSpanContext());
        if (traceParent != null) {
            request.putHeader(TraceParent.HEADER, traceParent);
        }
        return client.request(request)
                .compose(call -> call.send().compose(this::principal))
                .onComplete(result -> end(span, result.succeeded()));
    }

    private static void end(Span span, boolean succeeded) {
        if (!succeeded) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }

    private Future<Optional<Principal>> principal(HttpClientResponse response) {
        return switch (response.statusCode()) {
            case 200 -> response.body().map(body -> principal(new JsonObject(body)));
            case 401, 403 -> Future.succeededFuture(Optional.empty());
            default -> Future.failedFuture("it responded with status " + response.statusCode());
        };
    }

    private Optional<Principal> principal(JsonObject whoami) {
        String workspace = whoami.getString("tenant_id");
        boolean otherWorkspace = config.workspaceId().isPresent() && !config.workspaceId().get().equalsIgnoreCase(workspace);
        return otherWorkspace ? Optional.empty() : Optional.of(Principal.from(whoami));
    }

    /**
     * Cache of verification results by the hash of the key, including unknown keys. Results expire after a short TTL; the
     * principals
     * of valid keys are retained for a longer grace period, for outages of the control plane.
     */
    static final class KeyCache {

        private final Clock clock;
        private final Duration ttl;
        private final Duration gracePeriod;
        private final Cache<String, Entry> entries;

        KeyCache(Clock clock, Duration ttl, Duration gracePeriod, int maxEntries) {
            this.clock = clock;
            this.ttl = ttl;
            this.gracePeriod = gracePeriod;
            this.entries = Caffeine.newBuilder().maximumSize(maxEntries).build();
        }

        void put(String hash, Optional<Principal> principal) {
            entries.put(hash, new Entry(principal, clock.instant()));
        }

        /** Returns the result if it is not older than the TTL. */
        Optional<Entry> get(String hash) {
            return getNewerThan(hash, ttl);
        }

        /** Returns the principal of the last verification if that is not older than the grace period. */
        Optional<Principal> getWithinGracePeriod(String hash) {
            return getNewerThan(hash, gracePeriod).flatMap(Entry::principal);
        }

        private Optional<Entry> getNewerThan(String hash, Duration age) {
            Instant now = clock.instant();
            return Optional.ofNullable(entries.getIfPresent(hash))
                    .filter(entry -> now.isBefore(entry.at().plus(age)))
                    .map(entry -> entry.withoutExpired(now));
        }

        record Entry(Optional<Principal> principal, Instant at) {

            /** Returns this entry, without the principal of a key that has expired. */
            private Entry withoutExpired(Instant now) {
                return new Entry(principal.filter(verified -> !verified.isExpired(now)), at);
            }
        }
    }

    /**
     * The principal of an API key, as reported by the control plane.
     *
     * @param name owner of the runs that the key may access; the same for all keys of a workspace
     * @param actor the key itself, for the audit log
     * @param expiresAt expiry of the key; empty for a key without one
     */
    record Principal(String name, Actor actor, Optional<Instant> expiresAt) {

        private static final String WORKSPACE = "workspace:";
        private static final String ORGANIZATION = "organization:";

        /** Returns whether a name is one of a principal that the control plane reported. */
        static boolean isName(String name) {
            return name.startsWith(WORKSPACE) || name.startsWith(ORGANIZATION);
        }

        boolean isExpired(Instant now) {
            return expiresAt.isPresent() && !now.isBefore(expiresAt.get());
        }

        /** Maps the response of {@code GET /v1/whoami}. */
        static Principal from(JsonObject whoami) {
            String workspace = whoami.getString("tenant_id");
            String name = workspace == null ? ORGANIZATION + whoami.getString("organization_id") : WORKSPACE + workspace;
            Optional<UUID> key = id(whoami, "api_key_id");
            return new Principal(name,
                    new Actor(key.isPresent() ? "api_key" : "caller", key.map(UUID::toString).orElse(name),
                            id(whoami, "organization_id").orElse(null), id(whoami, "tenant_id").orElse(null)),
                    Optional.ofNullable(whoami.getString("expires_at")).map(Instant::parse));
        }

        private static Optional<UUID> id(JsonObject whoami, String member) {
            String text = whoami.getString(member);
            try {
                return text == null ? Optional.empty() : Optional.of(UUID.fromString(text));
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }
    }
}
