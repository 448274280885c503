package dev.waybill.common.edge;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.function.LongSupplier;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.ProblemResponses;
import dev.waybill.common.security.PresentedKey;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;

/**
 * Responds with 429 and {@code Retry-After} to API keys that exceed their rate, before any lookup. Limits addresses likewise if
 * they send no key or a key that was not recently valid; a request that is authenticated later does not count against its
 * address. The operators' endpoints ({@code /q}) and requests that an earlier filter authenticated are not limited.
 */
@Singleton
class RateLimit {

    private static final int AFTER_AUDIT = 980;
    private static final String METER = "waybill.rate.limited";
    private static final String CHECKED = RateLimit.class.getName();
    /** How long a key that was valid is limited by its own rate alone. */
    private static final Duration VALID_KEY_TTL = Duration.ofMinutes(10);
    private static final int MAX_CLIENTS = 10_000;

    private final ProblemResponses responses;
    private final MeterRegistry metrics;
    private final ClientRateLimits keys;
    private final ClientRateLimits addresses;
    private final Cache<String, Boolean> valid;

    @Inject
    RateLimit(RateConfig config, ProblemResponses responses, MeterRegistry metrics) {
        this(config, responses, metrics, System::nanoTime);
    }

    RateLimit(RateConfig config, ProblemResponses responses, MeterRegistry metrics, LongSupplier nanoTime) {
        this.responses = responses;
        this.metrics = metrics;
        this.keys = new ClientRateLimits("waybill.rate.per-second", config.perSecond(), config.burst(), MAX_CLIENTS,
                nanoTime);
        this.addresses = new ClientRateLimits("waybill.rate.anonymous-per-second", config.anonymousPerSecond(),
                config.anonymousBurst(), MAX_CLIENTS, nanoTime);
        this.valid = Caffeine.newBuilder().maximumSize(MAX_CLIENTS).expireAfterWrite(VALID_KEY_TTL).build();
        metrics.counter(METER, "by", "key");
        metrics.counter(METER, "by", "address");
    }

    void register(@Observes Filters filters) {
        if (keys.isLimited() || addresses.isLimited()) {
            filters.register(this::limit, AFTER_AUDIT);
        }
    }

    private void limit(RoutingContext request) {
        // A rerouted request passes this filter again but counts once.
        if (request.normalizedPath().startsWith("/q/") || request.get(CHECKED) != null
                || PresentedKey.isAuthenticated(request)) {
            request.next();
            return;
        }
        request.put(CHECKED, true);
        String key = PresentedKey.of(request);
        String hash = key == null ? null : hash(key);
        if (hash != null && valid.getIfPresent(hash) != null) {
            request.addHeadersEndHandler(ignored -> {
                if (request.response().getStatusCode() == CommonProblem.UNAUTHENTICATED.status()) {
                    valid.invalidate(hash);
                }
            });
            proceedOrReject(request, keys.take(hash), "key",
                    "This API key sends more than " + keys.perSecond() + " requests per second");
            return;
        }
        String address = ClientAddress.of(request.request().remoteAddress());
        request.addHeadersEndHandler(ignored -> {
            if (PresentedKey.isAuthenticated(request)) {
                addresses.release(address);
                if (hash != null) {
                    valid.put(hash, true);
                }
            }
        });
        proceedOrReject(request, addresses.take(address), "address", "This address sends more than " + addresses.perSecond()
                + " requests per second without a valid API key");
    }

    private void proceedOrReject(RoutingContext request, long wait, String by, String sentence) {
        if (wait == 0) {
            request.next();
            return;
        }
        metrics.counter(METER, "by", by).increment();
        responses.send(request, new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                sentence + "; retry after the number of seconds in Retry-After.")
                .retryAfter(Duration.ofNanos(wait).plusMillis(999)));
        // Most clients read the response only after they have sent the whole request.
        request.request().resume();
    }

    private static String hash(String key) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JVM does not support SHA-256", e);
        }
    }
}
