package dev.waybill.experiment.session;

import java.util.UUID;

import jakarta.inject.Singleton;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Lets any number of transactions write traces of a workspace at once, or one alone. What must not miss a run that another
 * transaction is just writing goes alone; that is rare and short. The gate is PostgreSQL's, so it holds across replicas, and it
 * opens when the transaction ends, whatever way.
 */
@Singleton
public class WorkspaceLock {

    private static final String SHARED = "SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))";
    private static final String ALONE = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";

    /** Waits until nobody is alone. */
    public Uni<Void> acquireShared(SqlConnection connection, UUID tenantId) {
        return pass(connection, SHARED, tenantId);
    }

    /** Waits until nobody else is inside. */
    public Uni<Void> acquireExclusive(SqlConnection connection, UUID tenantId) {
        return pass(connection, ALONE, tenantId);
    }

    private static Uni<Void> pass(SqlConnection connection, String lock, UUID tenantId) {
        return connection.preparedQuery(lock)
                .execute(Tuple.of("traces of " + tenantId))
                .replaceWithVoid();
    }
}
