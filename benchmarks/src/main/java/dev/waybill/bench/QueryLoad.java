package dev.waybill.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

import dev.waybill.local.storage.Wait;

/** Small queries of another application on the same database: one row, a page of rows, an insert, an update. */
final class QueryLoad implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofMillis(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private final Connection connection;
    private final List<UUID> ids = new ArrayList<>();
    private final List<OffsetDateTime> startTimes = new ArrayList<>();
    private final PreparedStatement one;
    private final PreparedStatement page;
    private final PreparedStatement insert;
    private final PreparedStatement update;
    private final SplittableRandom random = new SplittableRandom(10);
    private int inserted;

    QueryLoad(String url, UUID tenantId, UUID session) {
        try {
            connection = DriverManager.getConnection(url);
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE bench_notes (id int PRIMARY KEY, note text, seen int DEFAULT 0)");
                try (ResultSet rows = statement.executeQuery("SELECT id, start_time FROM trace.runs WHERE tenant_id = '"
                        + tenantId + "' AND session_id = '" + session + "' LIMIT 2000")) {
                    while (rows.next()) {
                        ids.add(rows.getObject(1, UUID.class));
                        startTimes.add(rows.getObject(2, OffsetDateTime.class));
                    }
                }
            }
            one = connection.prepareStatement("SELECT name, status, end_time FROM trace.runs WHERE tenant_id = '" + tenantId
                    + "' AND session_id = '" + session + "' AND id = ? AND start_time = ?");
            page = connection.prepareStatement("SELECT id, name, start_time FROM trace.runs WHERE tenant_id = '" + tenantId
                    + "' AND session_id = '" + session + "' ORDER BY start_time DESC, id DESC LIMIT 20");
            insert = connection.prepareStatement("INSERT INTO bench_notes (id, note) VALUES (?, 'a note of some length')");
            update = connection.prepareStatement("UPDATE bench_notes SET seen = seen + 1 WHERE id = ?");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Sends queries for {@code seconds}.
     *
     * @return duration of each query in nanoseconds
     */
    List<Long> measure(int seconds) {
        List<Long> nanos = new ArrayList<>();
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        try {
            for (int i = 0; System.nanoTime() < end; i++) {
                long startNanos = System.nanoTime();
                query(i % 4);
                nanos.add(System.nanoTime() - startNanos);
                Wait.sleep(PAUSE);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return nanos;
    }

    /** Returns the 99th percentile in seconds. */
    static double p99(List<Long> nanos) {
        List<Long> sorted = nanos.stream().sorted().toList();
        return sorted.get((int) Math.ceil(0.99 * sorted.size()) - 1) / 1e9;
    }

    /**
     * Waits until an export reads or no export reads; a cancelled export continues to read until it detects the
     * cancellation.
     */
    void awaitReading(boolean expected) {
        long deadline = System.nanoTime() + 60_000_000_000L;
        try (Statement statement = connection.createStatement()) {
            while (isReading(statement) != expected) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException(
                            expected ? "the export did not start to read" : "the export did not stop reading");
                }
                Wait.sleep(POLL_INTERVAL);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isReading(Statement statement) throws SQLException {
        try (ResultSet readers = statement.executeQuery("""
                SELECT count(*) FROM pg_stat_activity
                WHERE usename = 'waybill_export' AND state = 'active' AND query LIKE 'COPY%'""")) {
            readers.next();
            return readers.getInt(1) > 0;
        }
    }

    private void query(int kind) throws SQLException {
        switch (kind) {
            case 0 -> {
                int index = random.nextInt(ids.size());
                one.setObject(1, ids.get(index));
                one.setObject(2, startTimes.get(index));
                read(one);
            }
            case 1 -> read(page);
            case 2 -> {
                insert.setInt(1, ++inserted);
                insert.executeUpdate();
            }
            default -> {
                update.setInt(1, 1 + random.nextInt(inserted));
                update.executeUpdate();
            }
        }
    }

    private static void read(PreparedStatement query) throws SQLException {
        try (ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                rows.getObject(1);
            }
        }
    }

    @Override
    public void close() {
        try (connection; Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE bench_notes");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
