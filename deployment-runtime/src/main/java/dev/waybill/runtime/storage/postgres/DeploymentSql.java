package dev.waybill.runtime.storage.postgres;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Transactions;
import dev.waybill.runtime.storage.FenceLostException;
import dev.waybill.runtime.storage.StorageException;
import dev.waybill.runtime.storage.ThreadStorage.MetadataTooLargeException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;

/**
 * Executes statements on the rows of one deployment. In all statements {@code $1} is the workspace, {@code $2} the deployment,
 * and {@code @now} the time.
 */
final class DeploymentSql {

    /** Serialization failure and deadlock: PostgreSQL rolled back completely, and the work is repeated. */
    private static final Set<String> CONFLICT_STATES = Set.of("40001", "40P01");
    /** The role of the deployment, or the server, has the maximum number of connections: nothing was executed. */
    private static final String TOO_MANY_CONNECTIONS = "53300";
    private static final Duration REFUSED_BACKOFF = Duration.ofMillis(100);
    private static final int RETRIES = 6;
    private static final Duration INITIAL_BACKOFF = Duration.ofMillis(10);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(1);

    /** Time for a transaction: a server that does not respond must not stop the writes that wait for it. */
    private static final Duration MAX_TIME = Duration.ofSeconds(40);

    private final Pool pool;
    private final UUID tenant;
    private final UUID deployment;
    private final Supplier<String> now;

    /**
     * @param now SQL of the time of a statement; that of the database, because replicas compare each other's leases
     */
    DeploymentSql(Pool pool, UUID tenant, UUID deployment, Supplier<String> now) {
        this.pool = pool;
        this.tenant = tenant;
        this.deployment = deployment;
        this.now = now;
    }

    /** Executes a statement in its own transaction. */
    Uni<RowSet<Row>> execute(String sql, @Nullable Object... parameters) {
        return storageCall(pool.withConnection(connection -> execute(connection, sql, parameters)));
    }

    /** Executes a statement in the transaction of a connection; its parameters are {@code $3} and the following. */
    Uni<RowSet<Row>> execute(SqlClient client, String sql, @Nullable Object... parameters) {
        List<@Nullable Object> all = new ArrayList<>(parameters.length + 2);
        all.add(tenant);
        all.add(deployment);
        all.addAll(Arrays.asList(parameters));
        return Uni.createFrom().deferred(() -> client.preparedQuery(sql.replace("@now", now.get())).execute(Tuple.tuple(all)));
    }

    /** Executes work in a transaction. */
    <T> Uni<T> transaction(Function<SqlConnection, Uni<T>> work) {
        return storageCall(pool.withConnection(connection -> Transactions.execute(connection, work)));
    }

    static <T> Uni<T> storageCall(Uni<T> call) {
        return onCallersContext(limited(call, MAX_TIME).onFailure(DeploymentSql::isConflict)
                .retry()
                .withBackOff(INITIAL_BACKOFF, MAX_BACKOFF)
                .atMost(RETRIES)
                // Connections that are idle are closed after seconds.
                .onFailure(DeploymentSql::isRefused)
                .retry()
                .withBackOff(REFUSED_BACKOFF, MAX_BACKOFF)
                .atMost(RETRIES)
                .onFailure().transform(DeploymentSql::translate));
    }

    /**
     * Fails if the server does not respond in time. Neither that nor a subscriber that leaves cancels the call, which would not
     * return its connection then.
     */
    static <T> Uni<T> limited(Uni<T> call, Duration limit) {
        return Uni.createFrom().completionStage(() -> call.subscribeAsCompletionStage()
                .orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).copy())
                .onFailure(TimeoutException.class)
                .transform(failure -> new StorageException("The database of threads did not respond in time.", failure));
    }

    /** Completes a Uni where it is subscribed. */
    static <T> Uni<T> onCallersContext(Uni<T> result) {
        return Uni.createFrom().deferred(() -> {
            Context context = Vertx.currentContext();
            Executor executor = context == null ? Infrastructure.getDefaultExecutor()
                    : task -> context.runOnContext(ignored -> task.run());
            return result.emitOn(executor);
        });
    }

    private static boolean isConflict(Throwable failure) {
        return failure instanceof PgException error && CONFLICT_STATES.contains(error.getSqlState());
    }

    private static boolean isRefused(Throwable failure) {
        return failure instanceof PgException error && TOO_MANY_CONNECTIONS.equals(error.getSqlState());
    }

    /** Returns whether the transaction of a failure may be committed: its connection broke, or the server is stopping. */
    static boolean isUncertain(Throwable failure) {
        return failure instanceof StorageException && !(failure.getCause() instanceof PgException rejected
                && !String.valueOf(rejected.getSqlState()).matches("(08|57).*"));
    }

    /** Returns whether a statement failed for what it contains; otherwise the server does not execute others either. */
    static boolean isRejected(Throwable failure) {
        return !(failure instanceof StorageException) || failure.getCause() instanceof PgException rejected
                && !String.valueOf(rejected.getSqlState()).matches("(08|28|3D|53|57).*");
    }

    /** Returns whether a statement failed for its values, so that a repetition fails, too. */
    static boolean isInvalid(Throwable failure) {
        return failure instanceof StorageException && failure.getCause() instanceof PgException rejected
                && String.valueOf(rejected.getSqlState()).matches("(22|23|54).*");
    }

    /** Returns the exception of the port for a failure. */
    static Throwable translate(Throwable failure) {
        if (failure instanceof StorageException || failure instanceof FenceLostException
                || failure instanceof MetadataTooLargeException) {
            return failure;
        }
        // Mutiny wraps the last failure.
        Throwable last = failure instanceof IllegalStateException && failure.getCause() != null ? failure.getCause() : failure;
        if (isRefused(last)) {
            return new StorageException("The database of threads accepts no further connection of this runtime; see "
                    + "docs/operations/database.md: " + last.getMessage(), last);
        }
        return new StorageException("The database of threads did not execute a statement: " + failure.getMessage(), failure);
    }
}
