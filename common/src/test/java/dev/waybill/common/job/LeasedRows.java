package dev.waybill.common.job;

import static dev.waybill.common.database.ReactiveDatabase.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.waybill.common.database.Database;
import dev.waybill.common.database.ReactiveDatabase;
import dev.waybill.common.testing.TestDatabase;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;

/** A table of jobs that can be leased, for tests. */
final class LeasedRows implements AutoCloseable {

    static final UUID TENANT = UUID.fromString("01a1fc24-0000-7000-8000-000000000001");

    private final ReactiveDatabase reactive = new ReactiveDatabase();
    private final Database database = reactive.database();
    private final String name = "public.jobs_" + UUID.randomUUID().toString().replace("-", "");
    private final LeaseTable leases = new LeaseTable(name, "NOT t.done", "t.position, t.id");

    LeasedRows() {
        execute("CREATE TABLE " + name + """
                 (tenant_id uuid NOT NULL, id uuid NOT NULL, position int NOT NULL, done boolean NOT NULL DEFAULT false,
                 work int NOT NULL DEFAULT 0, lease_token bigint NOT NULL DEFAULT 0, lease_until timestamptz, lease_owner text,
                 PRIMARY KEY (tenant_id, id))
                """);
    }

    Database database() {
        return database;
    }

    LeaseTable leases() {
        return leases;
    }

    void insert(int rows) {
        execute("INSERT INTO " + name + " (tenant_id, id, position) SELECT '" + TENANT
                + "', gen_random_uuid(), n FROM generate_series(1, " + rows + ") AS n");
    }

    List<Lease> claim(String owner, Duration length, int limit) {
        return await(database.everyWorkspace(connection -> leases.claim(connection, owner, length, limit)));
    }

    boolean renew(Lease lease, Duration length) {
        return await(database.inWorkspace(TENANT, connection -> leases.renew(connection, lease, length)));
    }

    boolean release(Lease lease) {
        return await(database.inWorkspace(TENANT, connection -> leases.release(connection, lease)));
    }

    /** Writes like every worker: only if the token is still valid. */
    Uni<Boolean> finishing(Lease lease) {
        return database.inWorkspace(TENANT, connection -> connection.preparedQuery("UPDATE " + name
                + " SET done = true, work = work + 1, lease_until = NULL WHERE tenant_id = $1 AND id = $2 AND lease_token = $3")
                .execute(Tuple.of(lease.tenantId(), lease.id(), lease.token()))
                .map(updated -> updated.rowCount() == 1));
    }

    boolean finish(Lease lease) {
        return await(finishing(lease));
    }

    long count(String condition) {
        return await(database.outsideWorkspaces(connection -> connection
                .query("SELECT count(*) FROM " + name + " WHERE " + condition)
                .execute()
                .map(rows -> rows.iterator().next().getLong(0))));
    }

    /** Locks all rows until the connection is closed, so that writers wait. */
    Connection lock() throws SQLException {
        Connection connection = TestDatabase.get().superuser();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT FROM " + name + " FOR UPDATE");
        }
        return connection;
    }

    void execute(String sql) {
        await(database.outsideWorkspaces(connection -> connection.query(sql.replace("jobs!", name)).execute()
                .chain(() -> Uni.createFrom().voidItem())));
    }

    @Override
    public void close() {
        execute("DROP TABLE " + name);
        reactive.close();
    }
}
