package dev.waybill.experiment.otlp;

import java.time.Duration;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Deletes the structure of traces that no more spans are expected for; later spans are stored directly below their root. */
@Singleton
class SpanCleanupTimer {

    private static final Duration RETENTION = Duration.ofDays(7);

    private final Database database;
    private final SpanRepository spans;

    SpanCleanupTimer(Database database, SpanRepository spans) {
        this.database = database;
        this.spans = spans;
    }

    @Scheduled(every = "1h", delayed = "7m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> deleteExpired() {
        return database.everyWorkspace(connection -> spans.deleteOlderThan(connection, RETENTION));
    }
}
