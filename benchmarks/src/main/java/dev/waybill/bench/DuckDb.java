package dev.waybill.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Embedded DuckDB with default settings except for the time zone. */
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

    /** Returns the first value of the first row. */
    String value(String sql) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }

    /** Returns the first column of all rows. */
    List<String> values(String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                values.add(result.getString(1));
            }
        }
        return values;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
