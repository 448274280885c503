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
 * Responds with 429 and {@code Retry-After} to keys that exceed their rate, before anything is looked up or read for them, and
 * to addresses that exceed theirs with requests without a key or with keys that were not valid lately. A request that turns out
 * to be authenticated does not count against its address. The operators' endpoints ({@code /q}) have no limit, nor have
 * requests that an earlier filter marked as valid.
 */
@Singleton
class RateLimit {

    private static final int AFTER_AUDIT = 980;
    private static final String METER = "waybill.rate.limited";
    private static final String COUNTED = RateLimit.class.getName();
    /** How long a key that was valid is limited by its own rate alone. */
    private static final Duration TRUST = Duration.ofMinutes(10);

    private final ProblemResponses answers;
    private final MeterRegistry metrics;
    private final ClientRateLimits keys;
    private final ClientRateLimits addresses;
    private final Cache<String, Boolean> valid;

    @Inject
    RateLimit(RateConfig config, ProblemResponses answers, MeterRegistry metrics) {
        this(config, answers, metrics, System::nanoTime);
    }

    RateLimit(RateConfig config, ProblemResponses answers, MeterRegistry metrics, LongSupplier nanoTime) {
        this.answers = answers;
        this.metrics = metrics;
        this.keys = new ClientRateLimits("waybill.rate.per-second", config.perSecond(), config.burst(), config.keys(),
                nanoTime);
        this.addresses = new ClientRateLimits("waybill.rate.anonymous-per-second", config.anonymousPerSecond(),
                config.anonymousBurst(), config.keys(), nanoTime);
        this.valid = Caffeine.newBuilder().maximumSize(config.keys()).expireAfterWrite(TRUST).build();
        metrics.counter(METER, "by", "key");
        metrics.counter(METER, "by", "address");
    }

    void register(@Observes Filters filters) {
        if (keys.isLimited() || addresses.isLimited()) {
            filters.register(this::limit, AFTER_AUDIT);
        }
    }

    private void limit(RoutingContext request) {
        // A request that is led to another path comes by again, and stays one request.
        if (request.normalizedPath().startsWith("/q/") || request.get(COUNTED) != null || PresentedKey.isValid(request)) {
            request.next();
            return;
        }
        request.put(COUNTED, true);
        String key = PresentedKey.of(request);
        String hash = key == null ? null : hash(key);
        if (hash != null && valid.getIfPresent(hash) != null) {
            request.addHeadersEndHandler(ignored -> {
                if (request.response().getStatusCode() == CommonProblem.UNAUTHENTICATED.status()) {
                    valid.invalidate(hash);
                }
            });
            enter(request, keys.take(hash), "key", "This API key sends more than " + keys.perSecond() + " requests per second");
            return;
        }
        String address = ClientAddress.of(request.request().remoteAddress());
        request.addHeadersEndHandler(ignored -> {
            if (PresentedKey.isValid(request)) {
                addresses.release(address);
                if (hash != null) {
                    valid.put(hash, true);
                }
            }
        });
        enter(request, addresses.take(address), "address", "This address sends more than " + addresses.perSecond()
                + " requests per second without a valid API key");
    }

    private void enter(RoutingContext request, long wait, String by, String sentence) {
        if (wait == 0) {
            request.next();
            return;
        }
        metrics.counter(METER, "by", by).increment();
        answers.send(request, new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                sentence + "; retry after the pause that Retry-After names.")
                .retryAfter(Duration.ofNanos(wait).plusMillis(999)));
        // Most clients read the response only when they have sent everything.
        request.request().resume();
    }

    private static String hash(String key) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
