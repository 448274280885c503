package dev.waybill.runtime.storage.sqlite;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/** A connection with its prepared statements, used by one thread. It always has an open transaction. */
final class SqliteSession implements AutoCloseable {

    private static final int MAX_STATEMENTS = 200;

    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new LinkedHashMap<>(MAX_STATEMENTS, 0.75f, true);

    SqliteSession(Connection connection) {
        this.connection = connection;
    }

    /** Executes a statement and returns the number of changed rows. */
    int update(String sql, @Nullable Object... parameters) throws SQLException {
        return execute(sql, PreparedStatement::executeUpdate, parameters);
    }

    /** Returns the mapped rows of a query. */
    <T> List<T> list(String sql, RowMapper<T> mapper, @Nullable Object... parameters) throws SQLException {
        return execute(sql, statement -> {
            try (ResultSet result = statement.executeQuery()) {
                SqliteRow row = new SqliteRow(result);
                List<T> rows = new ArrayList<>();
                while (result.next()) {
                    rows.add(mapper.map(row));
                }
                return rows;
            }
        }, parameters);
    }

    /** Returns the first mapped row of a query. */
    <T> Optional<T> first(String sql, RowMapper<T> mapper, @Nullable Object... parameters) throws SQLException {
        List<T> rows = list(sql, mapper, parameters);
        return rows.isEmpty() ? Optional.empty() : Optional.of(rows.getFirst());
    }

    /** Returns whether a query has a row. */
    boolean exists(String sql, @Nullable Object... parameters) throws SQLException {
        return execute(sql, statement -> {
            try (ResultSet result = statement.executeQuery()) {
                return result.next();
            }
        }, parameters);
    }

    /** Returns the number in the first column of a query with one row. */
    long number(String sql, @Nullable Object... parameters) throws SQLException {
        return execute(sql, statement -> {
            try (ResultSet result = statement.executeQuery()) {
                return result.next() ? result.getLong(1) : 0;
            }
        }, parameters);
    }

    private <T> T execute(String sql, Execution<T> execution, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = prepare(sql, parameters);
        try {
            return execution.execute(statement);
        } catch (SQLException e) {
            // The driver has closed it.
            statements.remove(sql);
            statement.close();
            throw e;
        }
    }

    /** Executes a script whose results do not count. */
    void execute(String script) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(script);
        }
    }

    /**
     * Executes work whose statements have no effect if it fails. Fails with a TransactionEndedException if SQLite has rolled
     * back more than them.
     */
    <T> T isolated(SqliteWork<T> work) throws SQLException {
        update("SAVEPOINT work");
        try {
            T result = work.execute(this);
            update("RELEASE work");
            return result;
        } catch (SQLException | RuntimeException e) {
            try {
                update("ROLLBACK TO work");
                update("RELEASE work");
            } catch (SQLException ended) {
                e.addSuppressed(ended);
                throw new TransactionEndedException(e);
            }
            throw e;
        }
    }

    /** Commits the transaction and begins the next one. */
    void commit() throws SQLException {
        connection.commit();
    }

    /** Discards the transaction and begins the next one. */
    void rollback() throws SQLException {
        connection.rollback();
    }

    @Override
    public void close() throws SQLException {
        for (PreparedStatement statement : statements.values()) {
            statement.close();
        }
        statements.clear();
        connection.rollback();
        connection.close();
    }

    private PreparedStatement prepare(String sql, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            removeEldest();
            statement = connection.prepareStatement(sql);
            statements.put(sql, statement);
        }
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, SqliteRow.stored(parameters[i]));
        }
        return statement;
    }

    private void removeEldest() throws SQLException {
        if (statements.size() >= MAX_STATEMENTS) {
            Iterator<PreparedStatement> eldest = statements.values().iterator();
            eldest.next().close();
            eldest.remove();
        }
    }

    /** SQLite has rolled back the whole transaction, for example because the disk is full. */
    static final class TransactionEndedException extends SQLException {

        TransactionEndedException(Exception cause) {
            super(cause);
        }
    }

    /** Execution of a prepared statement. */
    @FunctionalInterface
    private interface Execution<T> {

        T execute(PreparedStatement statement) throws SQLException;
    }

    /** Maps a row. */
    @FunctionalInterface
    interface RowMapper<T> {

        /** Returns the row's value, which must not refer to the row. */
        T map(SqliteRow row) throws SQLException;
    }

    /** Statements without a result. */
    @FunctionalInterface
    interface SqliteChange {

        /** Executes the statements. */
        void execute(SqliteSession session) throws SQLException;
    }

    /** Statements of one operation of the port. */
    @FunctionalInterface
    interface SqliteWork<T> {

        /** Executes the statements. */
        T execute(SqliteSession session) throws SQLException;
    }
}
