package dev.waybill.common.edge;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import dev.waybill.common.id.Digests;
import dev.waybill.common.limit.TokenBucket;
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
    /** A burst has the requests of this many seconds. */
    private static final int KEY_BURST_SECONDS = 2;
    private static final int ADDRESS_BURST_SECONDS = 4;

    private final ProblemResponses responses;
    private final MeterRegistry metrics;
    private final ClientBuckets keys;
    private final ClientBuckets addresses;
    private final Cache<String, Boolean> valid;

    @Inject
    RateLimit(RateConfig config, ProblemResponses responses, MeterRegistry metrics) {
        this(config, responses, metrics, System::nanoTime);
    }

    RateLimit(RateConfig config, ProblemResponses responses, MeterRegistry metrics, LongSupplier nanoTime) {
        this.responses = responses;
        this.metrics = metrics;
        this.keys = new ClientBuckets("waybill.rate.per-second", config.perSecond(), KEY_BURST_SECONDS, nanoTime);
        this.addresses = new ClientBuckets("waybill.rate.anonymous-per-second", config.anonymousPerSecond(),
                ADDRESS_BURST_SECONDS, nanoTime);
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
        String hash = key == null ? null : Digests.sha256Hex(key);
        if (hash != null && valid.getIfPresent(hash) != null) {
            request.addHeadersEndHandler(ignored -> {
                if (request.response().getStatusCode() == CommonProblem.UNAUTHENTICATED.status()) {
                    valid.invalidate(hash);
                }
            });
            proceedOrReject(request, keys.take(hash), "key",
                    "This API key sends more than " + keys.perSecond + " requests per second");
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
        proceedOrReject(request, addresses.take(address), "address", "This address sends more than " + addresses.perSecond
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

    /** Token buckets for clients that share one limit. The number of stored buckets is bounded. */
    private static final class ClientBuckets {

        private final int perSecond;
        private final int burst;
        private final long interval;
        private final Cache<String, TokenBucket> buckets = Caffeine.newBuilder().maximumSize(MAX_CLIENTS).build();
        private final LongSupplier nanoTime;

        /** @param perSecond 0 disables the limit */
        ClientBuckets(String property, int perSecond, int burstSeconds, LongSupplier nanoTime) {
            if (perSecond < 0) {
                throw new IllegalStateException(property + " must be 0 (no limit) or more");
            }
            this.perSecond = perSecond;
            this.burst = (int) Math.min(Integer.MAX_VALUE, (long) perSecond * burstSeconds);
            this.interval = perSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / perSecond;
            this.nanoTime = nanoTime;
        }

        boolean isLimited() {
            return perSecond > 0;
        }

        /** Takes a token for a request of the client. Returns 0, or the nanoseconds until the next token is available. */
        long take(String client) {
            if (!isLimited()) {
                return 0;
            }
            long now = nanoTime.getAsLong();
            return buckets.get(client, ignored -> new TokenBucket(now)).take(now, interval, burst);
        }

        /** Returns the token of a request that does not count. */
        void release(String client) {
            TokenBucket bucket = buckets.getIfPresent(client);
            if (bucket != null) {
                bucket.release(interval);
            }
        }
    }
}
