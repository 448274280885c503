package dev.waybill.export.lake;

import java.util.List;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;

/** Metrics of compactions (docs/operations/metrics.md). No label identifies a tenant. */
@Singleton
class LakeMetrics {

    private static final int USUAL_ATTEMPTS = 3;
    private static final String QUEUE = """
            SELECT count(*) AS days, coalesce(extract(epoch FROM now() - min(pending_since)), 0)::float8 AS age,
                (SELECT coalesce(greatest(extract(epoch FROM now() - min(greatest(due_at, not_before))), 0), 0)::float8
                    FROM lake.tables WHERE due_at IS NOT NULL) AS table_age,
                (SELECT count(*) FROM lake.tables WHERE attempts > %s) AS failing
            FROM lake.compactions
            WHERE state IN ('pending', 'running') AND day < (now() AT TIME ZONE 'UTC')::date
            """
            .formatted(USUAL_ATTEMPTS);
    private static final List<String> PUBLICATION_OUTCOMES = List.of("published", "retry", "lease_lost");
    private static final List<String> OUTCOMES = List.of("compacted", "unsupported", "retry", "lease_lost");

    private final Database database;
    private final MeterRegistry registry;
    private final Counter rows;
    private final Counter bytes;
    private volatile Queue queue = new Queue(0, 0, 0, 0);

    LakeMetrics(Database database, MeterRegistry registry) {
        this.database = database;
        this.registry = registry;
        this.rows = registry.counter("waybill.lake.rows");
        this.bytes = registry.counter("waybill.lake.bytes");
        // Prometheus sees an increase only of a series that existed before.
        OUTCOMES.forEach(this::compactions);
        PUBLICATION_OUTCOMES.forEach(this::publications);
        Gauge.builder("waybill.lake.days.waiting", () -> queue.days()).register(registry);
        Gauge.builder("waybill.lake.queue.age.seconds", () -> queue.ageSeconds()).register(registry);
        Gauge.builder("waybill.lake.table.delay.seconds", () -> queue.tableDelaySeconds()).register(registry);
        Gauge.builder("waybill.lake.tables.failing", () -> queue.failingTables()).register(registry);
    }

    void attemptEnded(String outcome) {
        compactions(outcome).increment();
    }

    void publicationEnded(String outcome) {
        publications(outcome).increment();
    }

    void addWritten(long addedRows, long addedBytes) {
        rows.increment(addedRows);
        bytes.increment(addedBytes);
    }

    /** Reads the values of the queue gauges, so that a scrape runs no query. */
    Uni<Void> readQueue() {
        return database.everyWorkspace(connection -> connection.query(QUEUE).execute())
                .map(found -> found.iterator().next())
                .invoke(row -> queue = new Queue(row.getLong("days"), row.getDouble("age"),
                        row.getDouble("table_age"), row.getLong("failing")))
                .replaceWithVoid();
    }

    private Counter compactions(String outcome) {
        return registry.counter("waybill.lake.compactions", "outcome", outcome);
    }

    private Counter publications(String outcome) {
        return registry.counter("waybill.lake.publications", "outcome", outcome);
    }

    /**
     * The queues of compactions and publications.
     *
     * @param days the days that wait for a compaction
     * @param ageSeconds the age of the oldest request of a compaction
     * @param tableDelaySeconds the delay of the table that is due longest
     * @param failingTables the tables whose attempts fail repeatedly
     */
    private record Queue(long days, double ageSeconds, double tableDelaySeconds, long failingTables) {
    }
}
