package dev.waybill.runtime.storage.postgres;

import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.waybill.common.id.Ids;
import dev.waybill.common.limit.MemoryBudget;
import dev.waybill.runtime.storage.AssistantStorage;
import dev.waybill.runtime.storage.CheckpointStorage;
import dev.waybill.runtime.storage.CronStorage;
import dev.waybill.runtime.storage.ItemStorage;
import dev.waybill.runtime.storage.RunStorage;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.StorageException;
import dev.waybill.runtime.storage.ThreadStorage;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;

/** The storage of the threads of one deployment in PostgreSQL. */
public final class PostgresStorage implements Storage {

    /** Hundreds of applications share a server; one without work holds no connection. */
    private static final int MAX_CONNECTIONS = 4;
    private static final int MAX_IDLE_SECONDS = 10;
    private static final int CONNECTION_TIMEOUT_SECONDS = 10;
    private static final int MAX_WAITING = 1_000;
    /** Transactions that store checkpoints at the same time. */
    private static final int WRITERS = 1;
    /** Groups of starts, ends or checkpoints that overtake a blocked one: the tick of the replica needs a connection, too. */
    private static final int OVERTAKING = 1;
    private static final long MAX_QUEUED_BYTES = 64L << 20;
    private static final int CLOSE_SECONDS = 10;

    /** Length of the longest statement that a connection prepares once. */
    private static final int MAX_CACHED_SQL = 16 << 10;
    /**
     * All statements read and write few rows by their keys. Planning one for its parameters costs more than executing it, and
     * a plan that is used again must not depend on the size of the tables at its first use. Compiling one costs more, too.
     */
    private static final String PLANS = """
            SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off;
            SET enable_mergejoin = off; SET jit = off
            """;

    private static final String VERIFY = """
            SELECT count(*) FROM runtime.replicas WHERE (tenant_id, deployment_id) = ($1, $2)
            """;

    private final DeploymentSql sql;
    private final Pool pool;
    private final PostgresThreads threads;
    private final PostgresRuns runs;
    private final RunBegins begins;
    private final RunEnds ends;
    private final PostgresCheckpoints checkpoints;
    private final PostgresItems items;
    private final PostgresAssistants assistants;
    private final PostgresCrons crons;

    PostgresStorage(Vertx vertx, PgConnectOptions server, UUID tenant, UUID deployment, Ids ids, Supplier<String> now) {
        pool = Pool.newInstance(PgBuilder.pool()
                .with(new PoolOptions().setMaxSize(MAX_CONNECTIONS).setIdleTimeout(MAX_IDLE_SECONDS)
                        .setIdleTimeoutUnit(TimeUnit.SECONDS).setConnectionTimeout(CONNECTION_TIMEOUT_SECONDS)
                        .setConnectionTimeoutUnit(TimeUnit.SECONDS).setMaxWaitQueueSize(MAX_WAITING))
                .connectingTo(new PgConnectOptions(server).setCachePreparedStatements(true)
                        .setPreparedStatementCacheSqlLimit(MAX_CACHED_SQL))
                .withConnectHandler(connection -> connection.query(PLANS).execute().onComplete(set -> connection.close()))
                .using(vertx)
                .build());
        sql = new DeploymentSql(pool, tenant, deployment, now);
        MemoryBudget budget = new MemoryBudget(MAX_QUEUED_BYTES);
        threads = new PostgresThreads(sql, ids);
        Semaphore overtaking = new Semaphore(OVERTAKING);
        begins = new RunBegins(sql, ids, vertx.getOrCreateContext(), overtaking);
        ends = new RunEnds(sql, vertx.getOrCreateContext(), overtaking);
        RunStart start = new RunStart(sql, threads, begins);
        runs = new PostgresRuns(sql, start, ends);
        checkpoints = new PostgresCheckpoints(sql, Stream.generate(
                () -> new GroupWriter(sql, vertx.getOrCreateContext(), budget, overtaking)).limit(WRITERS).toList());
        items = new PostgresItems(sql);
        assistants = new PostgresAssistants(sql);
        crons = new PostgresCrons(sql, start);
    }

    /**
     * Opens the storage of a deployment. It connects with the first operation, and holds no connection while it has no work.
     */
    public static PostgresStorage open(Vertx vertx, PgConnectOptions server, UUID tenant, UUID deployment, Ids ids) {
        return new PostgresStorage(vertx, server, tenant, deployment, ids, () -> "statement_timestamp()");
    }

    /** Executes a statement; fails with a StorageException if the server does not respond or rejects the role. Blocks. */
    void verify() {
        try {
            sql.execute(VERIFY).subscribeAsCompletionStage().orTimeout(CONNECTION_TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StorageException failure ? failure
                    : new StorageException("The database of threads did not respond in %s s.".formatted(
                            CONNECTION_TIMEOUT_SECONDS), e);
        }
    }

    @Override
    public ThreadStorage threads() {
        return threads;
    }

    @Override
    public RunStorage runs() {
        return runs;
    }

    @Override
    public CheckpointStorage checkpoints() {
        return checkpoints;
    }

    @Override
    public ItemStorage items() {
        return items;
    }

    @Override
    public AssistantStorage assistants() {
        return assistants;
    }

    @Override
    public CronStorage crons() {
        return crons;
    }

    @Override
    public void close() {
        try {
            Uni.join().all(begins.close(), checkpoints.close(), ends.close()).andCollectFailures()
                    .eventually(pool::close)
                    .subscribeAsCompletionStage()
                    .orTimeout(CLOSE_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            throw new StorageException(
                    "The database of threads did not store the accepted writes in %s s.".formatted(CLOSE_SECONDS), e);
        }
    }
}
