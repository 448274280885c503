package dev.waybill.experiment.otlp;

import java.time.Duration;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Forgets the structure of traces of which nothing more is expected. */
@Singleton
class SpanCleanupTimer {

    private final Database database;
    private final SpanRepository spans;
    private final Duration keep;

    SpanCleanupTimer(Database database, SpanRepository spans, OtlpConfig config) {
        this.database = database;
        this.spans = spans;
        this.keep = config.keepStructure();
    }

    @Scheduled(every = "1h", delayed = "7m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> sweep() {
        return database.everyWorkspace(connection -> spans.removeOlderThan(connection, keep));
    }
}
