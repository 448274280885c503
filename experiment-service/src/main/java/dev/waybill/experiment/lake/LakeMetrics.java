package dev.waybill.experiment.lake;

import jakarta.inject.Singleton;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Metrics of the reader; no label identifies a tenant. */
@Singleton
class LakeMetrics {

    private final MeterRegistry registry;
    private final Counter queries;
    private final Counter fallbacks;
    private final Counter hits;
    private final Counter misses;
    private final Counter fetchFailures;

    // Counters are registered at start, because Prometheus sees an increase only of existing series.
    LakeMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.queries = registry.counter("waybill.lake.searches", "source", "lake");
        this.fallbacks = registry.counter("waybill.lake.searches", "source", "postgresql");
        this.hits = registry.counter("waybill.lake.cache.requests", "result", "hit");
        this.misses = registry.counter("waybill.lake.cache.requests", "result", "miss");
        this.fetchFailures = registry.counter("waybill.lake.fetch.failures");
    }

    /** Registers the gauge of the size of the cache. */
    void monitor(LakeCache cache) {
        registry.gauge("waybill.lake.cache.bytes", cache, LakeCache::bytes);
    }

    /** Counts a search of a range of days in the lake. */
    void searched() {
        queries.increment();
    }

    /** Counts a range of days that was in the lake but had to be read from PostgreSQL. */
    void fellBack() {
        fallbacks.increment();
    }

    void hit() {
        hits.increment();
    }

    void missed() {
        misses.increment();
    }

    void fetchFailed() {
        fetchFailures.increment();
    }
}
