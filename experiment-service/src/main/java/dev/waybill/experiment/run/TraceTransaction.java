package dev.waybill.experiment.run;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;

/**
 * Runs transactions on the traces of a workspace: under the workspace's lock, with the partitions that they need, and again
 * after a deadlock. Partitions are created in short transactions of their own (docs/decisions/0023).
 */
@Singleton
public class TraceTransaction {

    private static final Logger LOG = Logger.getLogger(TraceTransaction.class);
    private static final String CREATE = """
            SELECT to_char(month AT TIME ZONE 'UTC', 'YYYY-MM')
            FROM unnest($1::timestamptz[]) AS month WHERE trace.make_runs_partition(month)
            """;
    // This month and the next two: clients' clocks may be ahead, and no replica may be running for some weeks.
    private static final String CREATE_AHEAD = """
            SELECT to_char(month AT TIME ZONE 'UTC', 'YYYY-MM')
            FROM generate_series(0, 2) AS ahead, LATERAL (SELECT (date_trunc('month', now() AT TIME ZONE 'UTC')
                + ahead * interval '1 month') AT TIME ZONE 'UTC' AS month) AS months
            WHERE trace.make_runs_partition(month)
            """;
    // A large upload may need one new partition per retry; 168 partitions can be created.
    private static final int MAX_PARTITION_RETRIES = 200;
    // Batches lock runs in one order, but statements of other kinds and concurrent uploads of the same rows can deadlock.
    private static final Set<String> RETRYABLE_SQL_STATES = Set.of("40001", "40P01");
    private static final int MAX_RETRIES = 5;
    private static final Duration INITIAL_BACKOFF = Duration.ofMillis(20);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(1);

    private final Database database;

    TraceTransaction(Database database) {
        this.database = database;
    }

    /**
     * Modes of the read-write lock on the traces of a workspace, across replicas: a PostgreSQL advisory lock that is released
     * when the transaction ends.
     */
    public enum Lock {
        /** Excludes only exclusive transactions; for intake and uploads. */
        SHARED("SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))"),
        /** For transactions that must see every run, including those that other transactions are inserting. */
        EXCLUSIVE("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))");

        private final String statement;

        Lock(String statement) {
            this.statement = statement;
        }
    }

    /** Runs {@code work} in one transaction that holds the workspace's lock; it runs again when the transaction is retried. */
    public <T> Uni<T> run(UUID tenantId, Lock lock, Function<SqlConnection, Uni<T>> work) {
        return database.inWorkspace(tenantId, connection -> acquire(connection, tenantId, lock)
                .chain(() -> work.apply(connection)))
                .onFailure(MissingPartitionException.class).call(missing -> create(missing))
                .onFailure(MissingPartitionException.class).retry().atMost(MAX_PARTITION_RETRIES)
                .onFailure(TraceTransaction::isRetryable).retry()
                .withBackOff(INITIAL_BACKOFF, MAX_BACKOFF)
                .atMost(MAX_RETRIES);
    }

    /** Creates partitions in advance, at start and every hour. */
    @Scheduled(every = "1h", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> createPartitionsAhead() {
        return database.outsideWorkspaces(connection -> connection.query(CREATE_AHEAD).execute())
                .invoke(TraceTransaction::log)
                .replaceWithVoid();
    }

    private static Uni<Void> acquire(SqlConnection connection, UUID tenantId, Lock lock) {
        return connection.preparedQuery(lock.statement)
                .execute(Tuple.of("traces of " + tenantId))
                .replaceWithVoid();
    }

    private static boolean isRetryable(Throwable failure) {
        return failure instanceof PgException error && RETRYABLE_SQL_STATES.contains(error.getSqlState());
    }

    private Uni<Void> create(MissingPartitionException missing) {
        OffsetDateTime[] months = missing.startTimes.stream()
                .map(time -> time.atOffset(ZoneOffset.UTC).truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1))
                .distinct()
                .toArray(OffsetDateTime[]::new);
        return database.outsideWorkspaces(connection -> connection.preparedQuery(CREATE).execute(Tuple.of(months)))
                .invoke(TraceTransaction::log)
                .replaceWithVoid();
    }

    private static void log(RowSet<Row> created) {
        created.forEach(row -> LOG.infof("a partition of runs was created month=%s", row.getString(0)));
    }

    /** A partition is missing for one of these start times; the transaction is retried after the partition is created. */
    static final class MissingPartitionException extends RuntimeException {

        private static final long serialVersionUID = 1L;
        private static final String CHECK_VIOLATION = "23514";

        private final transient List<Instant> startTimes;

        MissingPartitionException(Collection<Instant> startTimes) {
            super("partitions are missing for some of the runs");
            this.startTimes = List.copyOf(startTimes);
        }

        /** Returns whether PostgreSQL reported a missing partition: a check violation without a constraint. */
        static boolean isReportedBy(Throwable failure) {
            return failure instanceof PgException error && CHECK_VIOLATION.equals(error.getSqlState())
                    && error.getConstraint() == null;
        }
    }
}
