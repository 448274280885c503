package dev.waybill.common.database;

import java.time.Duration;

import dev.waybill.common.testing.TestDatabase;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;

/** The test database for tests without Quarkus, on the reactive client. */
public final class ReactiveDatabase implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Vertx vertx = Vertx.vertx();
    private final Pool pool;

    /** As the superuser, who sees all rows. */
    public ReactiveDatabase() {
        this(TestDatabase.get(), "postgres");
    }

    /** As that role, in that database. */
    public ReactiveDatabase(TestDatabase where, String role) {
        PgConnectOptions options = PgConnectOptions.fromUri(where.reactiveUrl())
                .setUser(role)
                .setPassword("test");
        pool = Pool.newInstance(PgBuilder.pool()
                .with(new PoolOptions().setMaxSize(20))
                .connectingTo(options)
                .using(vertx)
                .build());
    }

    /** What services inject. */
    public Database database() {
        return new Database(pool);
    }

    /** Waits for the answer. */
    public static <T> T await(Uni<T> answer) {
        return answer.await().atMost(PATIENCE);
    }

    @Override
    public void close() {
        await(pool.close());
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
