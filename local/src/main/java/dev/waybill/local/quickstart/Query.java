package dev.waybill.local.quickstart;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Executes an SQL statement with DuckDB and prints the result as a table. A replacement for the DuckDB CLI. */
public final class Query {

    private Query() {
    }

    public static void main(String[] arguments) {
        if (arguments.length != 1) {
            System.err.println("usage: local/duckdb \"SELECT ...\"");
            System.exit(2);
        }
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(arguments[0])) {
            print(lines(result));
        } catch (SQLException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    private static List<List<String>> lines(ResultSet result) throws SQLException {
        ResultSetMetaData columns = result.getMetaData();
        List<List<String>> lines = new ArrayList<>();
        List<String> head = new ArrayList<>();
        for (int column = 1; column <= columns.getColumnCount(); column++) {
            head.add(columns.getColumnLabel(column));
        }
        lines.add(head);
        while (result.next()) {
            List<String> line = new ArrayList<>();
            for (int column = 1; column <= columns.getColumnCount(); column++) {
                line.add(String.valueOf(result.getObject(column)));
            }
            lines.add(line);
        }
        return lines;
    }

    private static void print(List<List<String>> lines) {
        int columns = lines.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> line : lines) {
            for (int column = 0; column < columns; column++) {
                widths[column] = Math.max(widths[column], line.get(column).length());
            }
        }
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int column = 0; column < columns; column++) {
                String cell = line.get(column);
                text.append(cell).append(" ".repeat(widths[column] - cell.length() + 2));
            }
            System.out.println(text.toString().stripTrailing());
        }
    }
}
