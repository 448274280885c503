package dev.waybill.soak;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The runs of an iteration, inserted directly into the table. Computes the expected content of an export from the table. */
final class SourceRows {

    /** A DuckDB query that hashes the compared values of each exported row, for all format versions. */
    static final String EXPORTED_HASHES = """
            SELECT md5(concat_ws('|', id, name, dotted_order, epoch_us(start_time::TIMESTAMPTZ), coalesce(total_tokens::VARCHAR, '-'),
                inputs, coalesce(outputs, '-'), coalesce(error, '-'))) AS hash
            FROM runs""";

    private static final String INSERT = """
            INSERT INTO trace.runs (tenant_id, id, session_id, start_time, end_time, trace_id, name, run_type, status,
                dotted_order, inputs, outputs, error, total_tokens)
            SELECT ?, made.id, ?, ?::timestamptz + made.n * (?::timestamptz - ?::timestamptz) / ?, now(), made.id,
                'step ' || made.n % 7, 'chain', 'success', 'x' || made.id,
                '{"n": ' || made.n || ', "text": "' || made.words || '"}',
                CASE WHEN made.n % 5 > 0 THEN '{"answer": "' || reverse(made.words) || '"}' END,
                CASE WHEN made.n % 11 = 0 THEN 'Timeout' END, nullif(made.n % 13, 0)
            FROM (SELECT n, gen_random_uuid() AS id, (
                    SELECT string_agg(md5(n || '.' || k), '')
                    FROM generate_series(1, ? * CASE WHEN n % 500 = 499 THEN 40 ELSE 1 END) AS k) AS words
                FROM generate_series(0, ? - 1) AS n) AS made
            """;

    private static final String HASHES = """
            SELECT md5(concat_ws('|', id, name, dotted_order, (extract(epoch FROM start_time) * 1000000)::bigint,
                coalesce(total_tokens::text, '-'), inputs, coalesce(outputs, '-'), coalesce(error, '-'))) AS hash
            FROM trace.runs
            WHERE tenant_id = ? AND session_id = ? AND start_time >= ? AND start_time < ?
            ORDER BY hash
            """;

    private final String superuserUrl;
    private final UUID tenantId;
    private final UUID sessionId = UUID.randomUUID();

    SourceRows(String superuserUrl, UUID tenantId) {
        this.superuserUrl = superuserUrl;
        this.tenantId = tenantId;
    }

    UUID sessionId() {
        return sessionId;
    }

    /**
     * Inserts rows that start in the range.
     *
     * @param words the length of each of a row's two texts in units of 32 characters; some rows are forty times as long
     */
    void insert(Instant from, Instant to, int count, int words) {
        execute("INSERT INTO trace.sessions (tenant_id, id, name, start_time, created_at, modified_at)"
                + " VALUES (?, ?, ?, now(), now(), now())", tenantId, sessionId, "Soak " + sessionId);
        execute("SELECT trace.make_runs_partition(moment) FROM unnest(ARRAY[?::timestamptz, ?::timestamptz]) AS moment",
                time(from), time(to));
        execute(INSERT, tenantId, sessionId, time(from), time(to), time(from), Math.max(count, 1), words, count);
    }

    /** Returns the sorted hashes of the rows that start in the range. */
    List<String> hashes(Instant from, Instant to) {
        try (Connection connection = DriverManager.getConnection(superuserUrl);
                PreparedStatement statement = prepare(connection, HASHES, tenantId, sessionId, time(from), time(to));
                ResultSet rows = statement.executeQuery()) {
            List<String> hashes = new ArrayList<>();
            while (rows.next()) {
                hashes.add(rows.getString(1));
            }
            return hashes;
        } catch (SQLException e) {
            throw new IllegalStateException("cannot read the source rows", e);
        }
    }

    void delete() {
        execute("DELETE FROM trace.runs WHERE tenant_id = ? AND session_id = ?", tenantId, sessionId);
    }

    private void execute(String sql, Object... values) {
        try (Connection connection = DriverManager.getConnection(superuserUrl);
                PreparedStatement statement = prepare(connection, sql, values)) {
            statement.execute();
        } catch (SQLException e) {
            throw new IllegalStateException("cannot change the source rows", e);
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    private static Object time(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
