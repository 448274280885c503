package dev.waybill.controlplane.rollout;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Metrics of rollouts: revisions in progress, over all workspaces, and durations of their steps. */
@Singleton
class RolloutMetrics {

    // A partial index contains only these revisions.
    private static final String IN_PROGRESS = """
            SELECT count(*) AS revisions, coalesce(extract(epoch FROM max(clock_timestamp() - step_since)), 0)::float8 AS longest,
                (SELECT count(*) FROM deploy.deployments d
                    JOIN deploy.revisions a ON a.tenant_id = d.tenant_id AND a.id = d.active_revision_id
                    WHERE a.status = 'UNKNOWN') AS unknown
            FROM deploy.revisions
            WHERE status IN ('CREATING', 'QUEUED', 'AWAITING_BUILD', 'BUILDING', 'AWAITING_DEPLOY', 'DEPLOYING')
            """;

    private final MeterRegistry registry;
    private final Database database;
    private volatile Revisions revisions = new Revisions(0, 0, 0);

    RolloutMetrics(MeterRegistry registry, Database database) {
        this.registry = registry;
        this.database = database;
        gauge("waybill.rollout.revisions.in.progress", Revisions::inProgress);
        gauge("waybill.rollout.revisions.unknown", Revisions::unknown);
        gauge("waybill.rollout.longest.step.seconds", Revisions::longestStepSeconds);
    }

    /** Reads the gauges of all revisions, so that a scrape runs no query. */
    @Scheduled(identity = "rollout-metrics", every = "10s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> measure() {
        return database.everyWorkspace(connection -> connection.preparedQuery(IN_PROGRESS).execute())
                .map(rows -> rows.iterator().next())
                .invoke(row -> revisions = new Revisions(row.getLong("revisions"), row.getLong("unknown"),
                        row.getDouble("longest")))
                .replaceWithVoid();
    }

    /** Records a step's duration by step and result. */
    void count(NextStep step, StepResult result, Duration time) {
        registry.timer("waybill.rollout.steps", "step", name(step), "result", name(result)).record(time);
    }

    /** Registers the gauge of deployments that this replica processes. */
    void watch(Supplier<Number> running) {
        Gauge.builder("waybill.rollout.deployments.in.progress", running).register(registry);
    }

    private void gauge(String name, ToDoubleFunction<Revisions> value) {
        Gauge.builder(name, () -> value.applyAsDouble(revisions)).register(registry);
    }

    /** Returns the label value of a step or result. */
    static String name(Object kind) {
        return kind.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /**
     * Counts of revisions.
     *
     * @param unknown number of active revisions with status UNKNOWN
     * @param longestStepSeconds greatest age of a current step; 0 if there is none
     */
    private record Revisions(long inProgress, long unknown, double longestStepSeconds) {
    }
}
