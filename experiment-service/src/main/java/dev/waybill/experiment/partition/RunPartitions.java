package dev.waybill.experiment.partition;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;

/** Creates partitions of {@code trace.runs}, each in its own short transaction (docs/decisions/0023). */
@Singleton
public class RunPartitions {

    private static final Logger LOG = Logger.getLogger(RunPartitions.class);

    private static final String CREATE = """
            SELECT to_char(month AT TIME ZONE 'UTC', 'YYYY-MM')
            FROM unnest($1::timestamptz[]) AS month WHERE trace.make_runs_partition(month)
            """;

    // This month and the next two: clients' clocks may be ahead, and no replica may be running for some weeks.
    private static final String CREATE_AHEAD = """
            SELECT to_char(month AT TIME ZONE 'UTC', 'YYYY-MM')
            FROM (SELECT now() + ahead * interval '1 month' AS month FROM generate_series(0, 2) AS ahead) AS months
            WHERE trace.make_runs_partition(month)
            """;

    // A large upload may need one new partition per retry; 168 partitions can be created.
    private static final int MAX_RETRIES = 200;

    private final Database database;

    RunPartitions(Database database) {
        this.database = database;
    }

    /** Runs {@code write}; creates missing partitions and retries it until none is missing. */
    public <T> Uni<T> withPartitions(Uni<T> write) {
        return write
                .onFailure(MissingPartitionException.class).call(missing -> create((MissingPartitionException) missing))
                .onFailure(MissingPartitionException.class).retry().atMost(MAX_RETRIES);
    }

    /** Creates partitions in advance, at start and every hour. */
    @Scheduled(every = "1h", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> createAhead() {
        return database.outsideWorkspaces(connection -> connection.query(CREATE_AHEAD).execute())
                .invoke(RunPartitions::log)
                .replaceWithVoid();
    }

    private Uni<Void> create(MissingPartitionException missing) {
        OffsetDateTime[] months = missing.startTimes().stream()
                .map(time -> time.atOffset(ZoneOffset.UTC).truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1))
                .distinct()
                .toArray(OffsetDateTime[]::new);
        return database.outsideWorkspaces(connection -> connection.preparedQuery(CREATE).execute(Tuple.of(months)))
                .invoke(RunPartitions::log)
                .replaceWithVoid();
    }

    private static void log(RowSet<Row> created) {
        created.forEach(row -> LOG.infof("a partition of runs was created month=%s", row.getString(0)));
    }
}
