package dev.waybill.experiment;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

import dev.waybill.common.testing.TestDatabase;

/** Looks into the database behind the service's back, as the superuser or as the service's own role. */
public final class Rows {

    private Rows() {
    }

    /** The first column of the first row, as text; null when there is none. */
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

    /** A connection with the rights that the service has. */
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
