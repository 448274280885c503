package dev.waybill.export.destination;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import dev.waybill.common.testing.TestDatabase;

/** Queries the service's database as superuser. */
final class DatabaseRows {

    private DatabaseRows() {
    }

    /** Returns the first column of a query's result. */
    static List<String> text(String sql) {
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

    static void update(String sql) {
        try (Connection connection = TestDatabase.get().superuser(); Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns every row of every table of the schema as text. */
    static List<String> everything(String schema) {
        return text("SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = '" + schema + "'").stream()
                .flatMap(table -> text("SELECT t::text FROM " + schema + "." + table + " t").stream())
                .toList();
    }
}
