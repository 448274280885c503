package dev.waybill.local.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.UUID;

import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

import dev.waybill.local.client.Json;

/**
 * Puts runs straight into the table that exports read, faster than any intake could: for measuring, and for tests that need
 * many rows.
 */
public final class TraceTable {

    private static final String COLUMNS = """
            tenant_id, id, session_id, start_time, end_time, prompt_tokens, completion_tokens, total_tokens, trace_id,
            parent_run_id, total_cost, name, run_type, status, dotted_order, parent_run_ids, tags, error, inputs, outputs,
            extra, metadata""";

    private final String superuserUrl;
    private final UUID tenantId;

    public TraceTable(String superuserUrl, UUID tenantId) {
        this.superuserUrl = superuserUrl;
        this.tenantId = tenantId;
    }

    /** @return the id of a new session that all the runs belong to, the only ones in the table */
    UUID replace(String session, RunGenerator generator, int count) {
        try (Connection connection = DriverManager.getConnection(superuserUrl)) {
            UUID id = createSession(connection, session);
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                // Rows frozen by COPY need no writing when they are first read; only a table emptied just before takes them so.
                statement.execute("TRUNCATE trace.runs");
            }
            copy(connection, id, generator, count, "FREEZE");
            connection.commit();
            settle(connection);
            return id;
        } catch (SQLException e) {
            throw new IllegalStateException("the runs could not be loaded", e);
        }
    }

    /** @return the id of a new session with so many runs in one day, made from the project's samples */
    public UUID add(String session, LocalDate day, int count) {
        // The session makes the seed, so that no two sessions share an id.
        return add(session, new RunGenerator(Corpus.read(null), day, session.hashCode()), count);
    }

    /** @return the id of a new session with so many more runs */
    UUID add(String session, RunGenerator generator, int count) {
        try (Connection connection = DriverManager.getConnection(superuserUrl)) {
            UUID id = createSession(connection, session);
            connection.setAutoCommit(false);
            copy(connection, id, generator, count, "FORMAT text");
            connection.commit();
            settle(connection);
            return id;
        } catch (SQLException e) {
            throw new IllegalStateException("the runs could not be loaded", e);
        }
    }

    private UUID createSession(Connection connection, String name) throws SQLException {
        UUID id = UUID.randomUUID();
        try (PreparedStatement insert = connection.prepareStatement("""
                INSERT INTO trace.sessions (tenant_id, id, name, start_time, created_at, modified_at)
                VALUES (?, ?, ?, now(), now(), now())""")) {
            insert.setObject(1, tenantId);
            insert.setObject(2, id);
            insert.setString(3, name);
            insert.execute();
        }
        return id;
    }

    private void copy(Connection connection, UUID session, RunGenerator generator, int count, String option)
            throws SQLException {
        CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI()
                .copyIn("COPY trace.runs (" + COLUMNS + ") FROM STDIN (" + option + ")");
        CopyText text = new CopyText();
        generator.generate(count, run -> write(copy, row(text, session, run)));
        copy.endCopy();
    }

    private byte[] row(CopyText text, UUID session, GeneratedRun run) {
        SampleRun sample = run.sample();
        return text.value(tenantId)
                .value(run.id())
                .value(session)
                .value(run.startTime())
                .value(run.endTime())
                .value(sample.promptTokens())
                .value(sample.completionTokens())
                .value(sample.totalTokens())
                .value(run.traceId())
                .value(run.parents().isEmpty() ? null : run.parents().getLast())
                .value(sample.totalCost())
                .value(sample.name())
                .value(sample.runType())
                .value(sample.status())
                .value(run.dottedOrder())
                .array(run.parents())
                .array(sample.tags())
                .value(sample.error())
                .value(run.inputs())
                .value(run.outputs())
                .value(run.extra())
                .value(Json.bytes(Json.parse(run.extra()).path("metadata")))
                .line();
    }

    private static void write(CopyIn copy, byte[] row) {
        try {
            copy.writeToCopy(row, 0, row.length);
        } catch (SQLException e) {
            throw new IllegalStateException("the runs could not be loaded", e);
        }
    }

    /** Nothing of the loading may be left to do while something is measured. */
    private static void settle(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        try (Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE trace.runs SET (autovacuum_enabled = false)");
            statement.execute("VACUUM (ANALYZE) trace.runs");
            statement.execute("CHECKPOINT");
        }
    }
}
