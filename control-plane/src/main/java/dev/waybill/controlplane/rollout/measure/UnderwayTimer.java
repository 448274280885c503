package dev.waybill.controlplane.rollout.measure;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Looks now and then how rollouts stand, so that a scrape of the metrics costs no query. */
@Singleton
class UnderwayTimer {

    private final Database database;
    private final UnderwayRepository repository;
    private final RolloutMetrics metrics;

    UnderwayTimer(Database database, UnderwayRepository repository, RolloutMetrics metrics) {
        this.database = database;
        this.repository = repository;
        this.metrics = metrics;
    }

    @Scheduled(identity = "rollout-underway", every = "{waybill.rollout.measure-every}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> measure() {
        return database.everyWorkspace(repository::read)
                .invoke(metrics::underwayIs)
                .replaceWithVoid();
    }
}
