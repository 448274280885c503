package dev.waybill.experiment.partition;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;

/** Makes partitions of {@code trace.runs}, each in a short transaction of its own (docs/decisions/0023). */
@Singleton
public class RunPartitions {

    private static final Logger LOG = Logger.getLogger(RunPartitions.class);

    private static final String MAKE = """
            SELECT to_char(month AT TIME ZONE 'UTC', 'YYYY-MM')
            FROM unnest($1::timestamptz[]) AS month WHERE trace.make_runs_partition(month)
            """;

    // This month and the next two: clients' clocks may be ahead, and no replica may run for some weeks.
    private static final String MAKE_AHEAD = """
            SELECT to_char(month AT TIME ZONE 'UTC', 'YYYY-MM')
            FROM (SELECT now() + ahead * interval '1 month' AS month FROM generate_series(0, 2) AS ahead) AS months
            WHERE trace.make_runs_partition(month)
            """;

    // A large upload learns month by month which ones it needs; there are 168 that can be made.
    private static final int ROUNDS = 200;

    private final Database database;

    RunPartitions(Database database) {
        this.database = database;
    }

    /** What {@code write} does; as often as it needs partitions that are not there, they are made and it is done again. */
    public <T> Uni<T> onDemand(Uni<T> write) {
        return write
                .onFailure(MissingPartitionException.class).call(missing -> make((MissingPartitionException) missing))
                .onFailure(MissingPartitionException.class).retry().atMost(ROUNDS);
    }

    Uni<Void> makeAhead() {
        return database.outsideWorkspaces(connection -> connection.query(MAKE_AHEAD).execute())
                .invoke(RunPartitions::tell)
                .replaceWithVoid();
    }

    private Uni<Void> make(MissingPartitionException missing) {
        OffsetDateTime[] months = missing.startTimes().stream()
                .map(time -> time.atOffset(ZoneOffset.UTC).truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1))
                .distinct()
                .toArray(OffsetDateTime[]::new);
        return database.outsideWorkspaces(connection -> connection.preparedQuery(MAKE).execute(Tuple.of(months)))
                .invoke(RunPartitions::tell)
                .replaceWithVoid();
    }

    private static void tell(RowSet<Row> made) {
        made.forEach(row -> LOG.infof("a partition of runs was made month=%s", row.getString(0)));
    }
}
