package dev.waybill.controlplane.thread;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Database;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.controlplane.engine.Engine;
import dev.waybill.controlplane.engine.ThreadSettings;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;

/**
 * Database roles of deployments: one for each, which sees only the threads of its deployment. A deployment gets its role with a
 * revision, in the revision's transaction, if the engine's settings name the database of threads.
 */
@Singleton
public class ThreadRoles {

    private static final Logger LOG = Logger.getLogger(ThreadRoles.class);
    private static final int PASSWORD_BYTES = 32;
    private static final int BATCH = 1000;
    /** Maximum number of connections of a replica, and of all replicas unless roles.sql of this release was run. */
    private static final int CONNECTIONS_OF_REPLICA = 4;
    private static final int CONNECTIONS = 40;
    /** The replicas of two revisions run at the same time while one replaces the other. */
    private static final int REVISIONS = 2;
    private static final String STATE = """
            SELECT to_regprocedure('waybill_roles.create_application_role(uuid,text)') IS NOT NULL AS available,
                to_regprocedure('waybill_roles.raise_connection_limit(uuid,integer)') IS NOT NULL AS limitable,
                EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS present
            """;
    private static final String ALLOW = "SELECT runtime.allow_applications()";
    private static final String CREATE = "SELECT waybill_roles.create_application_role($1, $2)";
    private static final String RAISE_LIMIT = "SELECT waybill_roles.raise_connection_limit($1, $2)";
    private static final String DROP = "SELECT waybill_roles.drop_application_role($1)";
    // An application can lock the tables of threads and its role. Longer waits would hold connections and workers.
    private static final String LIMIT_WAITS = """
            SELECT set_config('lock_timeout', '5s', true), set_config('statement_timeout', '30s', true)
            """;
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String DELETE_ROWS = "SELECT runtime.delete_rows($1, $2, $3)";

    private final Database database;
    private final Engine engine;
    private final SecureRandom random = new SecureRandom();

    ThreadRoles(Database database, Engine engine) {
        this.database = database;
        this.engine = engine;
    }

    /**
     * Creates the role if it is missing and sets its stored password, which the application may have changed, or a new one;
     * the caller must hold the lock of the deployment's row.
     *
     * @param password the stored password; null if there is none
     * @param replicas maximum number of replicas of a revision
     * @return the new password, which the caller must store in the same transaction; empty if nothing changed
     */
    public Uni<Optional<String>> create(SqlConnection connection, UUID deploymentId, @Nullable String password,
            int replicas) {
        if (!ThreadSettings.isConfigured(engine.settings())) {
            return Uni.createFrom().item(Optional.empty());
        }
        return state(connection, deploymentId).chain(state -> {
            if (!state.available()) {
                LOG.warnf("the deployment stores no threads, because the database has no functions for its role; an "
                        + "administrator must run roles.sql of this release: %s=%s", LogKeys.DEPLOYMENT_ID, deploymentId);
                return Uni.createFrom().item(Optional.empty());
            }
            return limitWaits(connection)
                    .chain(() -> state.present() ? Uni.createFrom().voidItem()
                            : connection.query(ALLOW).execute().replaceWithVoid())
                    .chain(() -> setPassword(connection, deploymentId, password))
                    .call(() -> raiseLimit(connection, state, deploymentId,
                            REVISIONS * CONNECTIONS_OF_REPLICA * replicas));
        });
    }

    private static Uni<Void> raiseLimit(SqlConnection connection, State state, UUID deploymentId, int connections) {
        if (connections <= CONNECTIONS) {
            return Uni.createFrom().voidItem();
        }
        if (!state.limitable()) {
            LOG.warnf("all replicas of the deployment together have at most %s connections to their threads, and need up to "
                    + "%s; an administrator must run roles.sql of this release: %s=%s", CONNECTIONS, connections,
                    LogKeys.DEPLOYMENT_ID, deploymentId);
            return Uni.createFrom().voidItem();
        }
        return connection.preparedQuery(RAISE_LIMIT).execute(Tuple.of(deploymentId, connections)).replaceWithVoid();
    }

    private Uni<Optional<String>> setPassword(SqlConnection connection, UUID deploymentId, @Nullable String stored) {
        String password = stored == null ? newPassword() : stored;
        return connection.preparedQuery(CREATE)
                .execute(Tuple.of(deploymentId, ScramVerifier.of(password, random)))
                .onFailure(ThreadRoles::isLocked)
                .transform(_ -> ProblemException.conflict("A transaction of the application " + deploymentId
                        + " changes its database role; try again when it has ended."))
                .replaceWith(stored == null ? Optional.of(password) : Optional.empty());
    }

    /**
     * Drops the role of a deployment whose processes have stopped, then deletes its threads in batches. Fails if an application
     * holds a lock on them, and can be repeated.
     */
    public Uni<Void> remove(UUID tenantId, UUID deploymentId) {
        return database.inWorkspace(tenantId, connection -> limitWaits(connection)
                .chain(() -> state(connection, deploymentId))
                .chain(state -> !state.available() ? Uni.createFrom().voidItem()
                        : connection.preparedQuery(DROP).execute(Tuple.of(deploymentId)).replaceWithVoid()))
                .chain(() -> deleteRows(tenantId, deploymentId));
    }

    private Uni<Void> deleteRows(UUID tenantId, UUID deploymentId) {
        return Uni.createFrom().deferred(() -> database.inWorkspace(tenantId, connection -> limitWaits(connection)
                .chain(() -> connection.preparedQuery(DELETE_ROWS).execute(Tuple.of(tenantId, deploymentId, BATCH)))
                .map(rows -> rows.iterator().next().getLong(0))))
                .repeat().until(deleted -> deleted == 0)
                .collect().last()
                .replaceWithVoid();
    }

    private static boolean isLocked(Throwable failure) {
        return failure instanceof PgException error && LOCK_NOT_AVAILABLE.equals(error.getSqlState());
    }

    private static Uni<Void> limitWaits(SqlConnection connection) {
        return connection.query(LIMIT_WAITS).execute().replaceWithVoid();
    }

    private static Uni<State> state(SqlConnection connection, UUID deploymentId) {
        return connection.preparedQuery(STATE)
                .execute(Tuple.of(ThreadSettings.role(deploymentId)))
                .map(rows -> State.from(rows.iterator().next()));
    }

    private String newPassword() {
        byte[] bytes = new byte[PASSWORD_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * State of the database.
     *
     * @param available whether an administrator has run roles.sql of a release with threads
     * @param limitable whether it was that of this release
     * @param present whether the role exists
     */
    private record State(boolean available, boolean limitable, boolean present) {

        static State from(Row row) {
            return new State(row.getBoolean("available"), row.getBoolean("limitable"), row.getBoolean("present"));
        }
    }
}
