package dev.waybill.experiment.run;

import java.time.Duration;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Throws away changes whose runs never came. */
@Singleton
class EarlyPatchTimer {

    private final Database database;
    private final EarlyPatchRepository patches;
    private final Duration keep;

    EarlyPatchTimer(Database database, EarlyPatchRepository patches, EarlyPatchConfig config) {
        this.database = database;
        this.patches = patches;
        this.keep = config.keep();
    }

    @Scheduled(every = "1h", delayed = "5m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> sweep() {
        return database.everyWorkspace(connection -> patches.removeOlderThan(connection, keep));
    }
}
