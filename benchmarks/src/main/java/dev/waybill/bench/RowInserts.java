package dev.waybill.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Inserts rows one by one with a prepared statement and a transaction each, for comparison. */
final class RowInserts {

    private final String table;
    private final List<Object[]> rows;
    private final int columns;

    private RowInserts(String table, List<Object[]> rows, int columns) {
        this.table = table;
        this.rows = rows;
        this.columns = columns;
    }

    /** Reads the rows of a query into memory. */
    static RowInserts read(Connection connection, String query, String table) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet found = statement.executeQuery(query)) {
            int columns = found.getMetaData().getColumnCount();
            List<Object[]> rows = new ArrayList<>();
            while (found.next()) {
                Object[] row = new Object[columns];
                for (int i = 0; i < columns; i++) {
                    row[i] = found.getObject(i + 1);
                }
                rows.add(row);
            }
            return new RowInserts(table, rows, columns);
        }
    }

    void run(Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO " + table + " VALUES (" + String.join(", ", Collections.nCopies(columns, "?")) + ")")) {
            for (Object[] row : rows) {
                for (int i = 0; i < columns; i++) {
                    insert.setObject(i + 1, row[i]);
                }
                insert.executeUpdate();
            }
        }
    }

    /** Truncates the table. */
    void truncate(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("TRUNCATE " + table);
        }
    }
}
