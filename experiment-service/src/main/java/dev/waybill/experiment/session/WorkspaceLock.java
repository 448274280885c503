package dev.waybill.experiment.session;

import java.util.UUID;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Read-write lock on the traces of a workspace, across replicas. Intake acquires it shared; transactions that must see
 * every run, including those that other transactions are inserting, acquire it exclusively. It is a PostgreSQL advisory
 * lock that is released when the transaction ends.
 */
@Singleton
public class WorkspaceLock {

    private static final String SHARED = "SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))";
    private static final String EXCLUSIVE = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";

    /** Waits until no other transaction holds the lock exclusively. */
    public Uni<Void> acquireShared(SqlConnection connection, UUID tenantId) {
        return acquire(connection, SHARED, tenantId);
    }

    /** Waits until no other transaction holds the lock. */
    public Uni<Void> acquireExclusive(SqlConnection connection, UUID tenantId) {
        return acquire(connection, EXCLUSIVE, tenantId);
    }

    private static Uni<Void> acquire(SqlConnection connection, String statement, UUID tenantId) {
        return connection.preparedQuery(statement)
                .execute(Tuple.of("traces of " + tenantId))
                .replaceWithVoid();
    }
}
