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

/** Reads Parquet files with DuckDB, independently of the services' writer. */
public final class ParquetReader implements AutoCloseable {

    private final Connection connection;

    public ParquetReader() {
        try {
            connection = DriverManager.getConnection("jdbc:duckdb:");
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET memory_limit = '512MB'; SET threads = 2; SET TimeZone = 'UTC'");
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot start DuckDB", e);
        }
    }

    /** Returns the result of a query on the files, which are the table {@code runs}. */
    public List<List<Object>> query(List<Path> files, String sql) {
        String names = files.stream().map(file -> "'" + file + "'").collect(Collectors.joining(", "));
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE OR REPLACE TEMP VIEW runs AS SELECT * FROM read_parquet([" + names
                    + "], hive_partitioning = true)");
            try (ResultSet result = statement.executeQuery(sql)) {
                return rows(result);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB rejected: " + sql, e);
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

    private static List<List<Object>> rows(ResultSet result) throws SQLException {
        List<List<Object>> rows = new ArrayList<>();
        while (result.next()) {
            List<Object> row = new ArrayList<>();
            for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
                row.add(result.getObject(column));
            }
            rows.add(row);
        }
        return rows;
    }
}
