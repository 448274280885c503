package dev.waybill.controlplane.rollout.metrics;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Updates the gauges of rollouts periodically, so that a scrape runs no query. */
@Singleton
class RolloutMetricsTimer {

    private final Database database;
    private final InFlightRevisionsRepository repository;
    private final RolloutMetrics metrics;

    RolloutMetricsTimer(Database database, InFlightRevisionsRepository repository, RolloutMetrics metrics) {
        this.database = database;
        this.repository = repository;
        this.metrics = metrics;
    }

    @Scheduled(identity = "rollout-metrics", every = "10s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> measure() {
        return database.everyWorkspace(repository::read)
                .invoke(metrics::update)
                .replaceWithVoid();
    }
}
