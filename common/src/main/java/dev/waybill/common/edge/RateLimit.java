package dev.waybill.common.edge;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemAnswers;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.security.PresentedKey;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;

/**
 * Answers 429 with {@code Retry-After} to a key that asks one replica too often, before anything is looked up or read for it.
 * Off unless configured. What operators ask for ({@code /q}) and requests without a key are not counted.
 */
@Singleton
class RateLimit {

    private static final int AFTER_AUDIT = 980;

    private final RateConfig config;
    private final ProblemAnswers answers;
    private final Counter limited;
    private final Cache<String, Pace> paces;
    private final LongSupplier nanoTime;

    @Inject
    RateLimit(RateConfig config, ProblemAnswers answers, MeterRegistry metrics) {
        this(config, answers, metrics, System::nanoTime);
    }

    RateLimit(RateConfig config, ProblemAnswers answers, MeterRegistry metrics, LongSupplier nanoTime) {
        if (config.perSecond().orElse(1) < 1 || config.burst() < 1) {
            throw new IllegalStateException("waybill.rate.per-second and waybill.rate.burst must be at least 1");
        }
        this.nanoTime = nanoTime;
        this.config = config;
        this.answers = answers;
        this.limited = metrics.counter("waybill.rate.limited");
        this.paces = Caffeine.newBuilder().maximumSize(config.keys()).build();
    }

    void register(@Observes Filters filters) {
        if (config.perSecond().isPresent()) {
            long interval = TimeUnit.SECONDS.toNanos(1) / config.perSecond().getAsInt();
            filters.register(request -> limit(request, interval), AFTER_AUDIT);
        }
    }

    private void limit(RoutingContext request, long interval) {
        String key = PresentedKey.of(request);
        if (key == null || request.normalizedPath().startsWith("/q/")) {
            request.next();
            return;
        }
        long now = nanoTime.getAsLong();
        long wait = paces.get(hash(key), ignored -> new Pace(now)).take(now, interval, config.burst());
        if (wait == 0) {
            request.next();
            return;
        }
        limited.increment();
        answers.send(request, new ProblemException(CommonProblem.TOO_MANY_REQUESTS, "This API key asks more often than "
                + config.perSecond().getAsInt() + " times a second; wait as long as Retry-After says.")
                .retryAfter(Duration.ofNanos(wait).plusMillis(999)));
        // Most clients read the answer only when they have sent everything.
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
