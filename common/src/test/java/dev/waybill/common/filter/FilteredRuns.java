package dev.waybill.common.filter;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

import dev.waybill.common.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;

/** Stored runs that are filtered in PostgreSQL with bind parameters and with settings. */
final class FilteredRuns implements AutoCloseable {

    private static final String INSERT = """
            INSERT INTO trace.runs (tenant_id, id, session_id, trace_id, parent_run_id, reference_example_id, manifest_id, start_time,
                end_time, first_token_time, prompt_tokens, completion_tokens, total_tokens, prompt_cost, completion_cost,
                total_cost, name, run_type, status, dotted_order, trace_tier, tags, error, inputs, outputs, metadata)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String INSERT_FEEDBACK = """
            INSERT INTO trace.feedback (tenant_id, id, run_id, session_id, key, score, created_at, modified_at)
            VALUES (?, gen_random_uuid(), ?, ?, ?, ?, now(), now())""";
    private static final UUID OTHER_TENANT = UUID.fromString("11111111-0000-4000-8000-000000000003");

    private final Connection connection;
    private final Vertx vertx = Vertx.vertx();
    private final Pool pool;

    FilteredRuns() throws SQLException {
        TestDatabase database = TestDatabase.get();
        database.migrate("experiment-service");
        connection = database.superuser();
        connection.setAutoCommit(false);
        pool = PgBuilder.pool()
                .with(new PoolOptions().setMaxSize(1))
                .connectingTo(PgConnectOptions.fromUri(database.reactiveUrl())
                        .setUser(connection.getMetaData().getUserName())
                        .setPassword(database.superuserUrl().replaceAll(".*password=", "")))
                .using(vertx)
                .build();
    }

    /** Replaces the stored runs. */
    void store(List<SampleRun> runs) throws SQLException {
        delete();
        execute("INSERT INTO trace.sessions (tenant_id, id, name, start_time, created_at, modified_at) VALUES ('%s', '%s', '%s', now(), now(), now())"
                .formatted(SampleRuns.TENANT, SampleRuns.SESSION, SampleRuns.SESSION_NAME));
        insert(connection, runs);
        connection.commit();
    }

    static void insert(Connection connection, List<SampleRun> runs) throws SQLException {
        try (PreparedStatement make = connection.prepareStatement("SELECT trace.make_runs_partition(?)")) {
            for (SampleRun run : runs) {
                make.setObject(1, utc(run.startTime()));
                make.execute();
            }
        }
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (SampleRun run : runs) {
                Object[] values = { run.tenantId(), run.id(), run.sessionId(), run.traceId(), run.parentRunId(),
                        run.referenceExampleId(), run.manifestId(), utc(run.startTime()), utc(run.endTime()),
                        utc(run.firstTokenTime()), run.promptTokens(), run.completionTokens(), run.totalTokens(),
                        run.promptCost(), run.completionCost(), run.totalCost(), run.name(), run.runType(), run.status(),
                        run.dottedOrder(), run.traceTier(), run.tags() == null ? null : run.tags().toArray(String[]::new),
                        run.error(), run.inputs(), run.outputs(), run.metadata() };
                for (int i = 0; i < values.length; i++) {
                    insert.setObject(i + 1, values[i]);
                }
                insert.addBatch();
            }
            insert.executeBatch();
        }
        try (PreparedStatement insert = connection.prepareStatement(INSERT_FEEDBACK)) {
            for (SampleRun run : runs) {
                for (SampleRun.Feedback feedback : run.feedback()) {
                    addFeedback(insert, run.tenantId(), run.id(), run.sessionId(), feedback);
                }
                // Must not match: feedback on the session, and on a run with the same id in another workspace.
                for (String key : SampleRuns.FEEDBACK_KEYS) {
                    SampleRun.Feedback foreign = new SampleRun.Feedback(key, BigDecimal.ONE);
                    addFeedback(insert, run.tenantId(), null, run.sessionId(), foreign);
                    addFeedback(insert, OTHER_TENANT, run.id(), run.sessionId(), foreign);
                }
            }
            insert.executeBatch();
        }
    }

    private static void addFeedback(PreparedStatement insert, UUID tenant, @Nullable UUID run, UUID session,
            SampleRun.Feedback feedback) throws SQLException {
        insert.setObject(1, tenant);
        insert.setObject(2, run);
        insert.setObject(3, session);
        insert.setString(4, feedback.key());
        insert.setObject(5, feedback.score() == null ? null : feedback.score().doubleValue());
        insert.addBatch();
    }

    /** Evaluates the condition for every run with the reactive client. */
    Map<UUID, @Nullable Boolean> selected(Filter filter) throws Exception {
        FilterSql sql = FilterSql.of(filter, "run", PlaceholderStyle.numbered(2));
        Tuple parameters = Tuple.of(SampleRuns.TENANT);
        sql.bindables().forEach(parameters::addValue);
        Map<UUID, @Nullable Boolean> results = new LinkedHashMap<>();
        for (Row row : get(
                pool.preparedQuery("SELECT run.id, " + sql.condition() + " FROM trace.runs run WHERE run.tenant_id = $1")
                        .execute(parameters))) {
            results.put(row.getUUID(0), row.getBoolean(1));
        }
        return results;
    }

    /** Returns the runs that match, selected by COPY with the values in settings. */
    Set<UUID> copied(Filter filter) throws SQLException, IOException {
        FilterSql sql = FilterSql.of(filter, "runs", PlaceholderStyle.settings());
        try (PreparedStatement set = connection.prepareStatement("SELECT set_config(?, ?, true)")) {
            for (Map.Entry<String, String> setting : sql.settings().entrySet()) {
                set.setString(1, setting.getKey());
                set.setString(2, setting.getValue());
                set.execute();
            }
            ByteArrayOutputStream copied = new ByteArrayOutputStream();
            connection.unwrap(PGConnection.class).getCopyAPI()
                    .copyOut("COPY (SELECT id FROM trace.runs WHERE tenant_id = '" + SampleRuns.TENANT + "' AND "
                            + sql.condition() + ") TO STDOUT", copied);
            return copied.toString(StandardCharsets.UTF_8).lines().map(UUID::fromString).collect(Collectors.toSet());
        } finally {
            connection.rollback();
        }
    }

    @Override
    public void close() throws Exception {
        delete();
        connection.commit();
        connection.close();
        get(pool.close());
        get(vertx.close());
    }

    // Other tests of the database have other workspaces.
    private void delete() throws SQLException {
        for (String table : List.of("runs", "sessions", "feedback")) {
            execute("DELETE FROM trace.%s WHERE tenant_id IN ('%s', '%s')".formatted(table, SampleRuns.TENANT, OTHER_TENANT));
        }
    }

    private void execute(String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.execute();
        }
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(2, TimeUnit.MINUTES);
    }

    private static @Nullable OffsetDateTime utc(@Nullable Instant time) {
        return time == null ? null : time.atOffset(ZoneOffset.UTC);
    }
}
