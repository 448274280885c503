package dev.waybill.experiment.run;

import java.time.Duration;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Deletes patches whose runs did not arrive within the retention time. */
@Singleton
class EarlyPatchTimer {

    private final Database database;
    private final EarlyPatchRepository patches;
    private final Duration retention;

    EarlyPatchTimer(Database database, EarlyPatchRepository patches, EarlyPatchConfig config) {
        this.database = database;
        this.patches = patches;
        this.retention = config.retention();
    }

    @Scheduled(every = "1h", delayed = "5m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> deleteExpired() {
        return database.everyWorkspace(connection -> patches.deleteOlderThan(connection, retention));
    }
}
