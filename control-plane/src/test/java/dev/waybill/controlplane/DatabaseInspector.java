package dev.waybill.controlplane;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import dev.waybill.common.testing.TestDatabase;

/** Queries of the database as superuser. */
public final class DatabaseInspector {

    private DatabaseInspector() {
    }

    /** Returns the result of a {@code SELECT count(*)}. */
    public static long count(String sql) {
        return Long.parseLong(rows(sql).getFirst());
    }

    /** Returns the first column of the only row. */
    public static String text(String sql) {
        List<String> rows = rows(sql);
        if (rows.size() != 1) {
            throw new IllegalStateException(rows.size() + " rows: " + sql);
        }
        return rows.getFirst();
    }

    public static int update(String sql) {
        try (Connection connection = TestDatabase.get().superuser(); Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns all rows of all tables of the schema, as text. */
    public static List<String> everything(String schema) {
        return rows("SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = '" + schema + "'").stream()
                .flatMap(table -> rows("SELECT t::text FROM " + schema + "." + table + " t").stream())
                .toList();
    }

    private static List<String> rows(String sql) {
        try (Connection connection = TestDatabase.get().superuser();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (found.next()) {
                rows.add(found.getString(1));
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
