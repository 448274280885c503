package dev.waybill.common.database;

import java.time.Duration;

import dev.waybill.common.testing.TestDatabase;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;

/** Provides the test database through the reactive client, for tests without Quarkus. */
public final class ReactiveDatabase implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int MAX_CONNECTIONS = 20;

    private final Vertx vertx = Vertx.vertx();
    private final Pool pool;

    /** Connects as the superuser, who can read all rows. */
    public ReactiveDatabase() {
        this(MAX_CONNECTIONS);
    }

    /** Connects as the superuser, with a pool of at most this size. */
    public ReactiveDatabase(int connections) {
        this(options(TestDatabase.get(), "postgres"), connections);
    }

    /** Connects to the database with the role. */
    public ReactiveDatabase(TestDatabase target, String role) {
        this(options(target, role), MAX_CONNECTIONS);
    }

    private ReactiveDatabase(PgConnectOptions options, int connections) {
        pool = Pool.newInstance(PgBuilder.pool()
                .with(new PoolOptions().setMaxSize(connections))
                .connectingTo(options)
                .using(vertx)
                .build());
    }

    /** Connects as the superuser through a proxy on this port, with a pool of one connection. */
    static ReactiveDatabase through(int port) {
        return new ReactiveDatabase(options(TestDatabase.get(), "postgres").setPort(port), 1);
    }

    private static PgConnectOptions options(TestDatabase target, String role) {
        return PgConnectOptions.fromUri(target.reactiveUrl())
                .setUser(role)
                .setPassword("test");
    }

    /** Returns the object that services inject. */
    public Database database() {
        return new Database(pool);
    }

    /** Waits for the result. */
    public static <T> T await(Uni<T> result) {
        return result.await().atMost(TIMEOUT);
    }

    @Override
    public void close() {
        await(pool.close());
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
