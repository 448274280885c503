package dev.waybill.experiment.summary;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import jakarta.inject.Singleton;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts summarized hours and reports how far the summaries are behind; no label identifies a tenant. */
@Singleton
class RunSummaryMetrics {

    private final Counter hours;
    private final AtomicLong lagSeconds = new AtomicLong();

    RunSummaryMetrics(MeterRegistry registry) {
        hours = registry.counter("waybill.summaries.hours");
        registry.gauge("waybill.summaries.lag.seconds", lagSeconds, AtomicLong::get);
    }

    void summarized(int count) {
        hours.increment(count);
    }

    void lag(Duration lag) {
        lagSeconds.set(Math.max(0, lag.toSeconds()));
    }
}
