package dev.waybill.export;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import org.duckdb.DuckDBDriver;

/** Reads exported files with DuckDB as an independent reader. */
public final class Duck {

    private Duck() {
    }

    /** Opens an in-memory database. Bypasses DriverManager, which finds the drivers of one class loader only. */
    public static Connection connect() throws SQLException {
        return new DuckDBDriver().connect("jdbc:duckdb:", new Properties());
    }

    /** Returns the rows of a query in which {@code files} stands for all Parquet files below the directory. */
    public static List<Map<String, Object>> query(Path directory, String sql) {
        String source = "read_parquet('" + directory + "/**/*.parquet', hive_partitioning = true)";
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql.replace("files", source))) {
            List<Map<String, Object>> read = new ArrayList<>();
            while (rows.next()) {
                Map<String, Object> row = new LinkedHashMap<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    row.put(rows.getMetaData().getColumnLabel(i), rows.getObject(i));
                }
                read.add(row);
            }
            return read;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the single value of a query. */
    public static Object value(Path directory, String sql) {
        return query(directory, sql).getFirst().values().iterator().next();
    }
}
