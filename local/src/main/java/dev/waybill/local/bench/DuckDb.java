package dev.waybill.local.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** DuckDB inside this process, as it comes but for the time zone. */
final class DuckDb implements AutoCloseable {

    private final Connection connection;

    DuckDb() throws SQLException {
        connection = DriverManager.getConnection("jdbc:duckdb:");
        execute("SET TimeZone = 'UTC'");
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** @return the only value of the only row */
    String value(String sql) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet answer = statement.executeQuery(sql)) {
            answer.next();
            return answer.getString(1);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
