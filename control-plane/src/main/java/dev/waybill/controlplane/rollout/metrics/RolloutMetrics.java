package dev.waybill.controlplane.rollout.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import jakarta.inject.Singleton;

import dev.waybill.controlplane.rollout.rule.NextStep;
import dev.waybill.controlplane.rollout.rule.StepResult;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Metrics of rollouts. */
@Singleton
public class RolloutMetrics {

    private final MeterRegistry registry;
    private volatile InFlightRevisions inFlight = InFlightRevisions.NONE;

    RolloutMetrics(MeterRegistry registry) {
        this.registry = registry;
        gauge("waybill.rollout.revisions.in.progress", InFlightRevisions::revisions);
        gauge("waybill.rollout.revisions.unknown", InFlightRevisions::unknown);
        gauge("waybill.rollout.longest.step.seconds", InFlightRevisions::longestStepSeconds);
    }

    /** Sets the gauges of all revisions; a scrape runs no query. */
    void update(InFlightRevisions state) {
        inFlight = state;
    }

    /** Records a step's duration by step and result. */
    public void count(NextStep step, StepResult result, Duration time) {
        registry.timer("waybill.rollout.steps", "step", name(step), "result", name(result)).record(time);
    }

    /** Registers the gauge of deployments that this replica processes. */
    public void watch(Map<?, ?> running) {
        registry.gaugeMapSize("waybill.rollout.deployments.in.progress", List.of(), running);
    }

    private void gauge(String name, ToDoubleFunction<InFlightRevisions> value) {
        Gauge.builder(name, () -> value.applyAsDouble(inFlight)).register(registry);
    }

    /** Returns the label value of a step or result. */
    public static String name(Object kind) {
        return kind.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }
}
