package dev.waybill.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

import org.postgresql.PGConnection;

/**
 * Copies of the experiment-service's tables with the same columns, indexes and compression, for reference measurements.
 */
final class BaselineTables implements AutoCloseable {

    private final String url;
    private final String schema;

    BaselineTables(String url, String schema, String... tables) {
        this.url = url;
        this.schema = schema;
        execute("CREATE SCHEMA " + schema);
        for (String table : tables) {
            // In the service, trace.run_places enforces the second key of runs.
            execute("CREATE TABLE %1$s.%2$s (LIKE trace.%2$s INCLUDING ALL%3$s)".formatted(schema, table,
                    table.equals("runs") ? ", UNIQUE (tenant_id, id)" : ""));
            execute("ALTER TABLE %s.%s SET (autovacuum_enabled = false)".formatted(schema, table));
        }
    }

    /** Returns the {@code COPY} statement that writes rows into a table. */
    String copyIn(String table) {
        return "COPY " + schema + "." + table + " FROM STDIN (FORMAT binary)";
    }

    /**
     * Saves rows of the service's table to a file in COPY's format.
     *
     * @return number of rows
     */
    long save(String query, Path file) {
        try (Connection connection = DriverManager.getConnection(url); OutputStream out = Files.newOutputStream(file)) {
            return connection.unwrap(PGConnection.class).getCopyAPI()
                    .copyOut("COPY (" + query + ") TO STDOUT (FORMAT binary)", out);
        } catch (SQLException | IOException e) {
            throw new IllegalStateException("the rows could not be saved", e);
        }
    }

    void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(url); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        execute("DROP SCHEMA " + schema + " CASCADE");
    }
}
