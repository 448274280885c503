package dev.waybill.common.database;

import java.util.UUID;
import java.util.function.Function;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Opens transactions on the reactive client and tells PostgreSQL whose rows they may touch. Statements carry
 * {@code tenant_id} themselves; the setting is the second lock (row level security).
 */
@Singleton
public class Database {

    private static final String SET_WORKSPACE = "SELECT set_config('waybill.tenant_id', $1, true)";
    private static final String SET_EVERY_WORKSPACE = "SELECT set_config('waybill.every_workspace', 'on', true)";

    private final Pool pool;

    Database(Pool pool) {
        this.pool = pool;
    }

    /** One transaction on the rows of one workspace. */
    public <T> Uni<T> inWorkspace(UUID tenantId, Function<SqlConnection, Uni<T>> work) {
        return pool.withTransaction(connection -> connection.preparedQuery(SET_WORKSPACE)
                .execute(Tuple.of(tenantId.toString()))
                .chain(() -> work.apply(connection)));
    }

    /** One transaction across workspaces: for workers that claim what is due, never for what a caller asked. */
    public <T> Uni<T> everyWorkspace(Function<SqlConnection, Uni<T>> work) {
        return pool.withTransaction(connection -> connection.query(SET_EVERY_WORKSPACE)
                .execute()
                .chain(() -> work.apply(connection)));
    }

    /** One transaction on tables that belong to no workspace. */
    public <T> Uni<T> outsideWorkspaces(Function<SqlConnection, Uni<T>> work) {
        return pool.withTransaction(work);
    }
}
