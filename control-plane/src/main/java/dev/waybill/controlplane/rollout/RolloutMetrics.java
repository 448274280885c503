package dev.waybill.controlplane.rollout;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import jakarta.inject.Singleton;

import io.micrometer.core.instrument.MeterRegistry;

/** What operators see of the rollout. */
@Singleton
class RolloutMetrics {

    private final MeterRegistry registry;

    RolloutMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Counts a step and its time by what it was and what it came to. */
    void count(NextStep step, Verdict verdict, Duration time) {
        registry.timer("waybill.rollout.steps", "step", name(step), "result", name(verdict)).record(time);
    }

    /** Shows how many deployments this replica works on. */
    void watch(Map<?, ?> underWay) {
        registry.gaugeMapSize("waybill.rollout.underway", List.of(), underWay);
    }

    private static String name(Object kind) {
        return kind.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }
}
