package dev.waybill.experiment;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

import dev.waybill.common.testing.TestDatabase;

/** Queries the database directly, as the superuser or in the service's role. */
public final class Rows {

    private Rows() {
    }

    /** Returns the first column of the first row as text; null without rows. */
    public static String value(String sql, Object... parameters) {
        try (Connection connection = TestDatabase.get().superuser()) {
            return value(connection, sql, parameters);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public static long count(String sql, Object... parameters) {
        return Long.parseLong(value(sql, parameters));
    }

    /** Opens a connection in the service's role. */
    public static Connection asService() throws SQLException {
        return DriverManager.getConnection(TestDatabase.get().url(), "waybill_experiment", "test");
    }

    public static String value(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            if (!statement.execute()) {
                return String.valueOf(statement.getUpdateCount());
            }
            ResultSet rows = statement.getResultSet();
            return rows.next() ? rows.getString(1) : null;
        }
    }
}
