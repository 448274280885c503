package dev.waybill.common.database;

import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;

/**
 * Opens transactions on the reactive client and tells PostgreSQL whose rows they may touch. Statements carry
 * {@code tenant_id} themselves; the setting is the second lock (row level security). A transaction that PostgreSQL rolled
 * back in favour of others is done again, so what it does must touch nothing but the database.
 */
@Singleton
public class Database {

    // A process that stands still, or that the network has lost, must not keep its locks: after this long without a statement
    // PostgreSQL ends the transaction. No transaction of ours waits for anything but the next statement.
    private static final String NOT_IDLE = "set_config('idle_in_transaction_session_timeout', '10s', true)";
    private static final String SET_WORKSPACE = "SELECT set_config('waybill.tenant_id', $1, true), " + NOT_IDLE;
    private static final String SET_EVERY_WORKSPACE = "SELECT set_config('waybill.every_workspace', 'on', true), " + NOT_IDLE;

    /** Serialization failure and deadlock. */
    private static final Set<String> ROLLED_BACK_FOR_OTHERS = Set.of("40001", "40P01");
    private static final int RETRIES = 6;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final Pool pool;

    Database(Pool pool) {
        this.pool = pool;
    }

    /** One transaction on the rows of one workspace. */
    public <T> Uni<T> inWorkspace(UUID tenantId, Function<SqlConnection, Uni<T>> work) {
        return transaction(connection -> connection.preparedQuery(SET_WORKSPACE)
                .execute(Tuple.of(tenantId.toString()))
                .chain(() -> work.apply(connection)));
    }

    /** One transaction across workspaces: for workers that claim what is due, never for what a caller asked. */
    public <T> Uni<T> everyWorkspace(Function<SqlConnection, Uni<T>> work) {
        return transaction(connection -> connection.query(SET_EVERY_WORKSPACE)
                .execute()
                .chain(() -> work.apply(connection)));
    }

    /** One transaction on tables that belong to no workspace. */
    public <T> Uni<T> outsideWorkspaces(Function<SqlConnection, Uni<T>> work) {
        return transaction(work);
    }

    private <T> Uni<T> transaction(Function<SqlConnection, Uni<T>> work) {
        return pool.withTransaction(work)
                .onFailure(Database::isRolledBackForOthers)
                .retry()
                .withBackOff(FIRST_PAUSE, LONGEST_PAUSE)
                .atMost(RETRIES);
    }

    // PostgreSQL chose this transaction to give way: all of it is undone, and the same once more may well pass.
    private static boolean isRolledBackForOthers(Throwable failure) {
        return failure instanceof PgException answer && ROLLED_BACK_FOR_OTHERS.contains(answer.getSqlState());
    }
}
