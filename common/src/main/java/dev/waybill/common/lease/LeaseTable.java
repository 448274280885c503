package dev.waybill.common.lease;

import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Claims and renews leases on the rows of one table, which has the columns {@code tenant_id, id, lease_token bigint,
 * lease_until timestamptz, lease_owner text}. Time is the database's, so that clocks of replicas do not matter.
 */
public final class LeaseTable {

    private final String name;
    private final String claim;
    private final String renew;
    private final String release;

    /**
     * @param table the table's qualified name
     * @param runnable an SQL condition on the alias {@code t}: which rows may be worked on now; without parameters
     * @param order the order in which rows are claimed, on the alias {@code t}
     */
    public LeaseTable(String table, String runnable, String order) {
        this(table, """
                SELECT t.tenant_id, t.id
                FROM %s AS t
                WHERE (t.lease_until IS NULL OR t.lease_until < clock_timestamp()) AND (%s)
                ORDER BY %s
                LIMIT $3
                FOR UPDATE OF t SKIP LOCKED""".formatted(table, runnable, order));
    }

    /**
     * For an order that takes more than one table to tell.
     *
     * @param due the query that answers {@code tenant_id} and {@code id} of at most {@code $3} rows that nobody holds, in the
     *        order in which they are claimed, and locks them without waiting for others
     */
    public LeaseTable(String table, String due) {
        this.name = table;
        // Materialized: joined as a subquery the planner may run it once per row, and then claim more rows than asked for.
        this.claim = """
                WITH due AS MATERIALIZED (
                %2$s)
                UPDATE %1$s AS claimed
                SET lease_token = claimed.lease_token + 1,
                    lease_until = clock_timestamp() + make_interval(secs => $1),
                    lease_owner = $2
                FROM due
                WHERE claimed.tenant_id = due.tenant_id AND claimed.id = due.id
                RETURNING claimed.tenant_id, claimed.id, claimed.lease_token
                """.formatted(table, due);
        this.renew = """
                UPDATE %s
                SET lease_until = clock_timestamp() + make_interval(secs => $1)
                WHERE tenant_id = $2 AND id = $3 AND lease_token = $4 AND lease_until IS NOT NULL
                """.formatted(table);
        this.release = """
                UPDATE %s
                SET lease_until = NULL, lease_owner = NULL
                WHERE tenant_id = $1 AND id = $2 AND lease_token = $3
                """.formatted(table);
    }

    /** The table's qualified name. */
    String name() {
        return name;
    }

    /**
     * Claims up to {@code most} rows that may be worked on; nobody else gets them until the lease runs out.
     *
     * @param more {@code $4} and so on of the query that says what is due
     */
    public Uni<List<Lease>> claim(SqlConnection connection, String owner, Duration length, int most, Object... more) {
        Tuple parameters = Tuple.of(seconds(length), owner, most);
        for (Object parameter : more) {
            parameters.addValue(parameter);
        }
        return connection.preparedQuery(claim)
                .execute(parameters)
                .map(LeaseTable::leases);
    }

    /** Keeps the lease for another {@code length}; false when it is not held any more. */
    public Uni<Boolean> renew(SqlConnection connection, Lease lease, Duration length) {
        return connection.preparedQuery(renew)
                .execute(Tuple.of(seconds(length), lease.tenantId(), lease.id(), lease.token()))
                .map(updated -> updated.rowCount() == 1);
    }

    /** Gives the row back at once; false when the lease was not held any more. */
    public Uni<Boolean> release(SqlConnection connection, Lease lease) {
        return connection.preparedQuery(release)
                .execute(Tuple.of(lease.tenantId(), lease.id(), lease.token()))
                .map(updated -> updated.rowCount() == 1);
    }

    private static double seconds(Duration length) {
        return length.toMillis() / 1000.0;
    }

    private static List<Lease> leases(RowSet<Row> rows) {
        return StreamSupport.stream(rows.spliterator(), false)
                .map(row -> new Lease(row.getUUID("tenant_id"), row.getUUID("id"), row.getLong("lease_token")))
                .toList();
    }
}
