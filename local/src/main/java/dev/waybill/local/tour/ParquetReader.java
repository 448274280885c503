package dev.waybill.local.tour;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Reads Parquet files with DuckDB, a reader that is not ours. */
public final class ParquetReader implements AutoCloseable {

    private final Connection connection;

    public ParquetReader() {
        try {
            connection = DriverManager.getConnection("jdbc:duckdb:");
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET memory_limit = '512MB'; SET threads = 2; SET TimeZone = 'UTC'");
            }
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB could not be started", e);
        }
    }

    /** @return the rows that a query answers over the table {@code runs}, which is these files */
    public List<List<Object>> query(List<Path> files, String sql) {
        String names = files.stream().map(file -> "'" + file + "'").collect(Collectors.joining(", "));
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE OR REPLACE TEMP VIEW runs AS SELECT * FROM read_parquet([" + names
                    + "], hive_partitioning = true)");
            try (ResultSet answer = statement.executeQuery(sql)) {
                return rows(answer);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB refused: " + sql, e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<List<Object>> rows(ResultSet answer) throws SQLException {
        List<List<Object>> rows = new ArrayList<>();
        while (answer.next()) {
            List<Object> row = new ArrayList<>();
            for (int column = 1; column <= answer.getMetaData().getColumnCount(); column++) {
                row.add(answer.getObject(column));
            }
            rows.add(row);
        }
        return rows;
    }
}
