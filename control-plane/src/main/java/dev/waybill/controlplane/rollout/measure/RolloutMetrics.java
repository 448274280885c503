package dev.waybill.controlplane.rollout.measure;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import jakarta.inject.Singleton;

import dev.waybill.controlplane.rollout.rule.NextStep;
import dev.waybill.controlplane.rollout.rule.Verdict;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** What operators see of the rollout. */
@Singleton
public class RolloutMetrics {

    private final MeterRegistry registry;
    private volatile Underway underway = Underway.NOTHING;

    RolloutMetrics(MeterRegistry registry) {
        this.registry = registry;
        gauge("waybill.rollout.revisions.underway", Underway::revisions);
        gauge("waybill.rollout.revisions.unknown", Underway::unknown);
        gauge("waybill.rollout.longest.step.seconds", Underway::longestStepSeconds);
    }

    /** What is told of all revisions until the next time; a scrape asks nobody. */
    void underwayIs(Underway state) {
        underway = state;
    }

    /** Counts a step and its time by what it was and what it came to. */
    public void count(NextStep step, Verdict verdict, Duration time) {
        registry.timer("waybill.rollout.steps", "step", name(step), "result", name(verdict)).record(time);
    }

    /** Shows how many deployments this replica works on. */
    public void watch(Map<?, ?> underWay) {
        registry.gaugeMapSize("waybill.rollout.underway", List.of(), underWay);
    }

    private void gauge(String name, ToDoubleFunction<Underway> value) {
        Gauge.builder(name, () -> value.applyAsDouble(underway)).register(registry);
    }

    /** What a step or a verdict is called outside. */
    public static String name(Object kind) {
        return kind.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }
}
