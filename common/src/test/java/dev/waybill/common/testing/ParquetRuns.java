package dev.waybill.common.testing;

import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/** Writes the stored runs of a day into a Parquet file with the columns of the lake, with DuckDB instead of export-service. */
public final class ParquetRuns {

    private static final Map<String, String> TYPES = new TreeMap<>(Map.of("start_time", "TIMESTAMPTZ", "end_time",
            "TIMESTAMPTZ",
            "first_token_time", "TIMESTAMPTZ", "tags", "VARCHAR[]", "prompt_tokens", "BIGINT", "completion_tokens", "BIGINT",
            "total_tokens", "BIGINT", "prompt_cost", "DECIMAL(18, 9)", "completion_cost", "DECIMAL(18, 9)", "total_cost",
            "DECIMAL(18, 9)"));
    private static final String[] COLUMNS = { "tenant_id", "id", "session_id", "trace_id", "parent_run_id",
            "reference_example_id", "manifest_id", "name", "run_type", "status", "error", "dotted_order", "trace_tier",
            "thread_id", "start_time", "end_time", "first_token_time", "prompt_tokens", "completion_tokens", "total_tokens",
            "prompt_cost", "completion_cost", "total_cost", "tags", "inputs", "outputs", "metadata" };

    private ParquetRuns() {
    }

    /**
     * Writes the runs of a workspace that start on {@code day}, as they are visible to {@code postgres}, and returns their
     * number.
     *
     * @param hasLatency whether the file has the column {@code latency}
     */
    public static long write(Connection postgres, UUID tenantId, LocalDate day, Path file, boolean hasLatency)
            throws SQLException {
        try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:"); Statement statement = duckDb.createStatement()) {
            statement.execute("SET TimeZone = 'UTC'");
            statement.execute("CREATE TABLE runs (" + Arrays.stream(COLUMNS)
                    .map(column -> column + " " + TYPES.getOrDefault(column, "VARCHAR"))
                    .collect(Collectors.joining(", ")) + ")");
            long rows = copy(postgres, tenantId, day, duckDb);
            String latency = hasLatency ? ", (epoch_us(end_time) - epoch_us(start_time)) / 1e6::DOUBLE AS latency" : "";
            statement.execute("COPY (SELECT *" + latency + " FROM runs ORDER BY session_id, start_time, id) TO '" + file
                    + "' (FORMAT parquet, ROW_GROUP_SIZE 2048)");
            return rows;
        }
    }

    private static long copy(Connection postgres, UUID tenantId, LocalDate day, Connection duckDb) throws SQLException {
        long rows = 0;
        try (PreparedStatement select = postgres.prepareStatement("SELECT " + String.join(", ", COLUMNS)
                + " FROM trace.runs WHERE tenant_id = ? AND start_time >= ? AND start_time < ?");
                PreparedStatement insert = duckDb.prepareStatement("INSERT INTO runs VALUES ("
                        + Arrays.stream(COLUMNS).map(_ -> "?").collect(Collectors.joining(", ")) + ")")) {
            select.setObject(1, tenantId);
            select.setObject(2, day.atStartOfDay().atOffset(ZoneOffset.UTC));
            select.setObject(3, day.plusDays(1).atStartOfDay().atOffset(ZoneOffset.UTC));
            try (ResultSet found = select.executeQuery()) {
                for (; found.next(); rows++) {
                    for (int i = 1; i <= COLUMNS.length; i++) {
                        insert.setObject(i, value(found, i, duckDb));
                    }
                    insert.addBatch();
                }
            }
            insert.executeBatch();
        }
        return rows;
    }

    private static Object value(ResultSet found, int index, Connection duckDb) throws SQLException {
        String type = TYPES.getOrDefault(COLUMNS[index - 1], "VARCHAR");
        if (type.equals("TIMESTAMPTZ")) {
            return found.getObject(index, OffsetDateTime.class);
        }
        if (type.equals("VARCHAR[]")) {
            Array texts = found.getArray(index);
            return texts == null ? null : duckDb.createArrayOf("VARCHAR", (Object[]) texts.getArray());
        }
        return type.equals("VARCHAR") ? found.getString(index) : found.getObject(index);
    }
}
