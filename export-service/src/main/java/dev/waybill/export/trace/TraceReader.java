package dev.waybill.export.trace;

import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.sql.DataSource;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/**
 * Reads the runs of a query by binary COPY (docs/architecture.md "Export"), each read in its own snapshot. Rows are not
 * buffered: a slow handler slows down PostgreSQL.
 */
@Singleton
public class TraceReader {

    // One round trip for all settings, because every day of every export begins with it.
    private static final String BEGIN = """
            SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;
            SELECT pg_current_snapshot()::text, now(), count(set_config(name, value, true))
            FROM unnest(?, ?) AS setting (name, value)
            """;

    // The index provides the order: sorting wide rows would spill to disk, and parallel workers would only forward rows.
    private static final Map<String, String> PLANNER_SETTINGS = Map.of("enable_sort", "off", "max_parallel_workers_per_gather",
            "0", "jit",
            "off");

    // Feedback that was stored before its run has no session.
    private static final String ANY_FEEDBACK = """
            SELECT EXISTS (SELECT FROM trace.feedback WHERE tenant_id = ? AND session_id = ? AND run_id IS NOT NULL)
                OR EXISTS (SELECT FROM trace.feedback WHERE tenant_id = ? AND session_id IS NULL)
            """;

    private final DataSource dataSource;

    TraceReader(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Passes every run of {@code query} to {@code rows}, by start time and id. Blocks; an interrupt ends even a read that waits
     * for PostgreSQL. On return, the COPY has ended and the connection is back in its pool.
     *
     * @param stopped checked before each row; true ends the read
     * @throws InterruptedException if it was stopped or interrupted
     * @throws StaleCheckpointException if rows before a checkpoint were changed or removed
     * @throws IOException if the handler fails or PostgreSQL sends invalid data
     */
    public ReadResult read(TraceQuery query, BooleanSupplier stopped, RowHandler rows)
            throws SQLException, IOException, InterruptedException {
        return inSnapshot(query.settings(), (connection, snapshot) -> {
            requireUnchanged(connection, query);
            rows.started(snapshot);
            return copy(connection, withoutUnusedFeedback(connection, query), stopped, rows);
        });
    }

    /**
     * Passes every run of {@code query} to {@code rows}, by session, start time and id, like {@link #read(TraceQuery,
     * BooleanSupplier, RowHandler)}. One COPY for each session returns the rows in the order of the primary key.
     */
    public ReadResult read(SessionsQuery query, BooleanSupplier stopped, RowHandler rows)
            throws SQLException, IOException, InterruptedException {
        return inSnapshot(query.settings(), (connection, snapshot) -> {
            rows.started(snapshot);
            long read = 0;
            for (UUID session : sessions(connection, query)) {
                read += copy(connection, query.of(session), stopped, rows);
            }
            return read;
        });
    }

    private ReadResult inSnapshot(Map<String, String> settings, SnapshotRead work)
            throws SQLException, IOException, InterruptedException {
        try (Connection connection = dataSource.getConnection()) {
            boolean committed = false;
            InterruptibleConnection interruptible = new InterruptibleConnection(connection);
            try {
                interruptible.beginInterruptible();
                Snapshot snapshot = begin(connection, settings);
                long read = work.read(connection, snapshot);
                connection.commit();
                committed = true;
                return new ReadResult(read, snapshot);
            } catch (SQLException | IOException e) {
                if (Thread.interrupted()) {
                    throw interrupted(e);
                }
                throw e;
            } finally {
                interruptible.endInterruptible();
                if (!committed) {
                    rollback(connection);
                }
            }
        }
    }

    private static Snapshot begin(Connection connection, Map<String, String> settings) throws SQLException {
        Map<String, String> all = new LinkedHashMap<>(PLANNER_SETTINGS);
        all.putAll(settings);
        connection.setAutoCommit(false);
        try (PreparedStatement statement = connection.prepareStatement(BEGIN)) {
            statement.setArray(1, connection.createArrayOf("text", all.keySet().toArray()));
            statement.setArray(2, connection.createArrayOf("text", all.values().toArray()));
            statement.execute();
            statement.getMoreResults();
            try (ResultSet snapshot = statement.getResultSet()) {
                snapshot.next();
                return new Snapshot(snapshot.getString(1), snapshot.getObject(2, OffsetDateTime.class).toInstant());
            }
        }
    }

    private static List<UUID> sessions(Connection connection, SessionsQuery query) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SessionsQuery.SESSIONS)) {
            statement.setObject(1, query.startTime().atOffset(ZoneOffset.UTC));
            statement.setObject(2, query.endTime().atOffset(ZoneOffset.UTC));
            statement.setObject(3, query.tenantId());
            List<UUID> sessions = new ArrayList<>();
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    sessions.add(found.getObject(1, UUID.class));
                }
            }
            return sessions;
        }
    }

    // Aggregating feedback costs time for every run, and most sessions have none.
    private static TraceQuery withoutUnusedFeedback(Connection connection, TraceQuery query) throws SQLException {
        if (!query.columns().contains(RunColumn.FEEDBACK_STATS)) {
            return query;
        }
        try (PreparedStatement statement = connection.prepareStatement(ANY_FEEDBACK)) {
            statement.setObject(1, query.tenantId());
            statement.setObject(2, query.sessionId());
            statement.setObject(3, query.tenantId());
            try (ResultSet any = statement.executeQuery()) {
                any.next();
                return any.getBoolean(1) ? query : query.withoutFeedback();
            }
        }
    }

    // Rows added since are late rows. A row that is missing may have moved after the checkpoint and would be read twice.
    private static void requireUnchanged(Connection connection, TraceQuery query) throws SQLException, IOException {
        for (int i = 0; i < query.checkpoints().size(); i++) {
            try (Statement statement = connection.createStatement();
                    ResultSet counted = statement.executeQuery(query.countStatement(i))) {
                counted.next();
                Checkpoint read = query.checkpoints().get(i);
                if (counted.getLong(1) != read.rows() || !binary(read.ids()).equals(counted.getString(2))) {
                    throw new StaleCheckpointException();
                }
            }
        }
    }

    private static String binary(UUID ids) {
        return Stream.of(ids.getMostSignificantBits(), ids.getLeastSignificantBits())
                .map(half -> String.format("%64s", Long.toBinaryString(half)).replace(' ', '0'))
                .collect(Collectors.joining());
    }

    private static long copy(Connection connection, TraceQuery query, BooleanSupplier stopped, RowHandler rows)
            throws SQLException, IOException, InterruptedException {
        PGConnection postgres = connection.unwrap(PGConnection.class);
        CopyOut copy = postgres.getCopyAPI().copyOut(query.copyStatement());
        try {
            BinaryCopyParser parser = new BinaryCopyParser(new RunRow(query.columnsInOrder()));
            for (byte[] message = copy.readFromCopy(); message != null; message = copy.readFromCopy()) {
                if (stopped.getAsBoolean() || Thread.interrupted()) {
                    throw new InterruptedException("reading runs was stopped");
                }
                parser.parse(message, rows);
            }
            return parser.requireComplete(copy.getHandledRowCount());
        } finally {
            if (copy.isActive()) {
                cancel(connection, copy);
            }
        }
    }

    // The driver's cancelCopy() leaves pending rows in the connection, where they break the next statement.
    private static void cancel(Connection connection, CopyOut copy) throws SQLException {
        try {
            connection.unwrap(PGConnection.class).cancelQuery();
            while (copy.readFromCopy() != null) {
                // Discards pending rows.
            }
        } catch (SQLException ignored) {
            // PostgreSQL reports the cancellation, or the connection is broken.
        }
        if (copy.isActive()) {
            // The COPY holds the driver's lock on the connection; a rollback would wait for it forever.
            connection.abort(Runnable::run);
        }
    }

    private static void rollback(Connection connection) throws SQLException {
        try {
            connection.rollback();
        } catch (SQLException e) {
            connection.abort(Runnable::run);
        }
    }

    private static InterruptedException interrupted(Exception cause) {
        InterruptedException interrupted = new InterruptedException("reading runs was interrupted");
        interrupted.initCause(cause);
        return interrupted;
    }

    /** Reads in an open transaction and returns the number of rows. */
    @FunctionalInterface
    private interface SnapshotRead {

        long read(Connection connection, Snapshot snapshot) throws SQLException, IOException, InterruptedException;
    }

    /**
     * Parses the messages of one binary COPY. PostgreSQL sends one row per message, the first after the stream's header, and a
     * trailer as the last message; a stream without the trailer is incomplete.
     */
    private static final class BinaryCopyParser {

        private static final byte[] SIGNATURE = { 'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0 };
        // Signature, four bytes of flags, four bytes for the length of an extension, which is always empty.
        private static final int HEADER = SIGNATURE.length + 8;

        private final RunRow row;
        private boolean started;
        private boolean complete;
        private long rows;

        BinaryCopyParser(RunRow row) {
            this.row = row;
        }

        void parse(byte[] message, RowHandler handler) throws IOException {
            int position = started ? 0 : skipHeader(message);
            started = true;
            if (complete) {
                throw new IOException("PostgreSQL sent a message after the end of the COPY");
            }
            if (position == message.length) {
                return;
            }
            if (message.length - position == Short.BYTES && message[position] == -1 && message[position + 1] == -1) {
                complete = true;
                return;
            }
            row.pointTo(message, position);
            handler.row(row);
            // Releases the row before the next one is read: two large rows would take twice the memory.
            row.clear();
            rows++;
        }

        private static int skipHeader(byte[] message) throws IOException {
            if (message.length < HEADER || !Arrays.equals(message, 0, SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length)) {
                throw new IOException("PostgreSQL did not send the header of a binary COPY");
            }
            return HEADER;
        }

        /** Returns the number of rows; fails if the stream is incomplete or PostgreSQL counted another number. */
        long requireComplete(long sent) throws IOException {
            if (!complete || sent != rows) {
                throw new IOException("PostgreSQL sent " + sent + " rows, " + rows + " were read");
            }
            return rows;
        }
    }

    /**
     * Closes the connection when the thread that uses it is interrupted. On a platform thread, unlike on a virtual one, nothing
     * else ends a read of the driver that waits for PostgreSQL.
     */
    private static final class InterruptibleConnection extends AbstractInterruptibleChannel {

        private static final Logger LOG = Logger.getLogger(InterruptibleConnection.class);

        private final Connection connection;

        InterruptibleConnection(Connection connection) {
            this.connection = connection;
        }

        /** Begins the interruptible section: an interrupt of this thread closes the connection, a pending one immediately. */
        void beginInterruptible() {
            begin();
        }

        /** Ends the interruptible section. The thread's interrupt flag and the exception of the interrupted call remain. */
        void endInterruptible() {
            try {
                end(true);
            } catch (AsynchronousCloseException e) {
                LOG.debug("an interrupt closed the connection", e);
            }
        }

        /** Runs on the interrupting thread. */
        @Override
        protected void implCloseChannel() {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.debug("the connection of an interrupted thread could not be closed", e);
            }
        }
    }
}
