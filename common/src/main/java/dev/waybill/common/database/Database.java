package dev.waybill.common.database;

import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;

/**
 * Opens transactions on the reactive client and sets the workspace whose rows they may access. Statements also filter by {@code
 * tenant_id}; row level security enforces the setting in addition. A transaction that PostgreSQL rolled back because of a
 * conflict is repeated, so {@code work} must have no effects outside the database.
 */
@Singleton
public class Database {

    // Bounds how long a suspended or disconnected process holds its locks. Transactions of the services wait only for their
    // next statement, so 10 s is never reached in normal operation.
    private static final String NOT_IDLE = "set_config('idle_in_transaction_session_timeout', '10s', true)";
    private static final String SET_WORKSPACE = "SELECT set_config('waybill.tenant_id', $1, true), " + NOT_IDLE;
    private static final String USE_SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";
    private static final String REPEATABLE_READ = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ";
    private static final String SET_EVERY_WORKSPACE = "SELECT set_config('waybill.every_workspace', 'on', true), " + NOT_IDLE;

    /** Serialization failure and deadlock. */
    private static final Set<String> CONFLICT_STATES = Set.of("40001", "40P01");
    private static final int RETRIES = 6;
    private static final Duration INITIAL_BACKOFF = Duration.ofMillis(10);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(1);

    private final Pool pool;

    Database(Pool pool) {
        this.pool = pool;
    }

    /** Runs {@code work} in a transaction on the rows of one workspace. */
    public <T> Uni<T> inWorkspace(UUID tenantId, Function<SqlConnection, Uni<T>> work) {
        return transaction(connection -> setWorkspace(connection, tenantId)
                .chain(() -> work.apply(connection)));
    }

    /**
     * Runs queries on the rows of one workspace; all of them return the state of the same point in time. Cancelling the Uni
     * cancels the current query in PostgreSQL, for example when the client has disconnected.
     */
    public <T> Uni<T> inWorkspaceSnapshot(UUID tenantId, Function<SqlConnection, Uni<T>> work) {
        return Uni.createFrom().deferred(() -> {
            QueryCancellation cancellation = new QueryCancellation();
            return transaction(connection -> cancellation.run(connection, connection.query(USE_SNAPSHOT)
                    .execute()
                    .chain(() -> setWorkspace(connection, tenantId))
                    .chain(() -> work.apply(connection))))
                    .onCancellation().invoke(cancellation::cancel);
        });
    }

    /**
     * Runs {@code work} in a transaction on the rows of one workspace; all of its statements see the same point in time. It is
     * repeated if another transaction has changed a row since that it writes.
     */
    public <T> Uni<T> inWorkspaceRepeatableRead(UUID tenantId, Function<SqlConnection, Uni<T>> work) {
        return transaction(connection -> connection.query(REPEATABLE_READ)
                .execute()
                .chain(() -> setWorkspace(connection, tenantId))
                .chain(() -> work.apply(connection)));
    }

    /**
     * Runs {@code work} in a transaction on the rows of all workspaces. For background workers only, never for a caller's
     * request.
     */
    public <T> Uni<T> everyWorkspace(Function<SqlConnection, Uni<T>> work) {
        return transaction(connection -> connection.query(SET_EVERY_WORKSPACE)
                .execute()
                .chain(() -> work.apply(connection)));
    }

    /** Runs {@code work} in a transaction on tables that belong to no workspace. */
    public <T> Uni<T> outsideWorkspaces(Function<SqlConnection, Uni<T>> work) {
        return transaction(work);
    }

    private static Uni<RowSet<Row>> setWorkspace(SqlConnection connection, UUID tenantId) {
        return connection.preparedQuery(SET_WORKSPACE)
                .execute(Tuple.of(tenantId.toString()));
    }

    private <T> Uni<T> transaction(Function<SqlConnection, Uni<T>> work) {
        return pool.withConnection(connection -> Transactions.execute(connection, work))
                .onFailure(Database::isConflict)
                .retry()
                .withBackOff(INITIAL_BACKOFF, MAX_BACKOFF)
                .atMost(RETRIES);
    }

    // Concurrent transactions can conflict; PostgreSQL rolls one back completely, and its retry usually succeeds.
    private static boolean isConflict(Throwable failure) {
        return failure instanceof PgException error && CONFLICT_STATES.contains(error.getSqlState());
    }
}
