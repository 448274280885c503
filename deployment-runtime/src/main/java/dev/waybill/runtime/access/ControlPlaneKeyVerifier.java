package dev.waybill.runtime.access;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

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
    private static final Duration MAX_REVOCATION_DELAY = Duration.ofSeconds(30);
    private static final int MAX_CONNECTIONS = 16;
    private static final int MAX_CACHED_KEYS = 10_000;

    private final AccessConfig config;
    private final HttpClient client;
    private final KeyCache cache;
    private final Telemetry telemetry;

    ControlPlaneKeyVerifier(AccessConfig config, Vertx vertx, Clock clock, Telemetry telemetry) {
        if (config.cacheTtl().plus(config.recheckInterval()).compareTo(MAX_REVOCATION_DELAY) > 0
                || config.recheckInterval().isZero()) {
            throw new IllegalStateException(
                    "waybill.runtime.access.cache-ttl and waybill.runtime.access.recheck-interval must be at most 30s"
                            + " together and the second above 0s, so that revoked keys are rejected in time");
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
}
