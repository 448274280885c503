package dev.waybill.common.job;

import java.time.Duration;
import java.util.List;

import dev.waybill.common.database.Rows;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Claims and renews leases on the rows of one table, which has the columns {@code tenant_id, id, lease_token bigint,
 * lease_until timestamptz, lease_owner text}. Uses the database's clock, so that clock differences between replicas have no
 * effect.
 */
public final class LeaseTable {

    private final String name;
    private final String claim;
    private final String renew;
    private final String release;

    /**
     * @param table qualified name of the table
     *
     * @param runnable SQL condition on the alias {@code t} that selects the rows to process, without parameters
     * @param order SQL order on the alias {@code t} in which rows are claimed
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
     * Creates a table with a custom query, for an order that involves other tables.
     *
     * @param due query that returns {@code tenant_id} and {@code id} of at most {@code $3} rows without a valid lease, in the
     *        order of claiming, and locks them with SKIP LOCKED
     */
    public LeaseTable(String table, String due) {
        this.name = table;
        // Materialized, because the planner may execute a joined subquery once per row and then claim more rows than requested.
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

    /** Returns the qualified name of the table. */
    String name() {
        return name;
    }

    /**
     * Claims up to {@code limit} due rows; no other worker can claim them until the lease expires.
     *
     * @param more values for {@code $4} and following of the query for due rows
     */
    public Uni<List<Lease>> claim(SqlConnection connection, String owner, Duration length, int limit, Object... more) {
        Tuple parameters = Tuple.of(seconds(length), owner, limit);
        for (Object parameter : more) {
            parameters.addValue(parameter);
        }
        return connection.preparedQuery(claim)
                .execute(parameters)
                .map(LeaseTable::leases);
    }

    /** Extends the lease by {@code length} from now; returns false if the lease was lost. */
    public Uni<Boolean> renew(SqlConnection connection, Lease lease, Duration length) {
        return connection.preparedQuery(renew)
                .execute(Tuple.of(seconds(length), lease.tenantId(), lease.id(), lease.token()))
                .map(updated -> updated.rowCount() == 1);
    }

    /** Releases the row immediately; returns false if the lease was already lost. */
    public Uni<Boolean> release(SqlConnection connection, Lease lease) {
        return connection.preparedQuery(release)
                .execute(Tuple.of(lease.tenantId(), lease.id(), lease.token()))
                .map(updated -> updated.rowCount() == 1);
    }

    private static double seconds(Duration length) {
        return length.toMillis() / 1000.0;
    }

    private static List<Lease> leases(RowSet<Row> rows) {
        return Rows.list(rows, row -> new Lease(row.getUUID("tenant_id"), row.getUUID("id"), row.getLong("lease_token")));
    }
}
