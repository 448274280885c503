package dev.waybill.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;

import dev.waybill.local.client.Json;

/** Third-party readers of Parquet. Each passes all rows to a consumer, with values as text and the file name as a column. */
enum FileReader {

    DUCKDB {

        private static final String MICROS = "'%Y-%m-%dT%H:%M:%S.%fZ'";

        @Override
        Map<String, String> read(List<Path> files, Path folder, Consumer<Map<String, @Nullable String>> rows) {
            String source = " FROM read_parquet(["
                    + files.stream().map(file -> "'" + file + "'").collect(Collectors.joining(", "))
                    + "], hive_partitioning = false)";
            try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                    Statement statement = connection.createStatement()) {
                statement.execute("SET TimeZone = 'UTC'; SET memory_limit = '512MB'");
                Map<String, String> columns = columns(statement, source);
                try (ResultSet result = statement.executeQuery("SELECT " + columns.entrySet().stream()
                        .map(column -> text(column.getKey(), column.getValue()))
                        .collect(Collectors.joining(", ")) + ", filename"
                        + source.replace(", hive", ", filename = true, hive"))) {
                    while (result.next()) {
                        rows.accept(row(result));
                    }
                }
                return columns;
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }

        private static Map<String, String> columns(Statement statement, String source) throws SQLException {
            Map<String, String> columns = new LinkedHashMap<>();
            try (ResultSet result = statement.executeQuery("DESCRIBE SELECT *" + source)) {
                while (result.next()) {
                    columns.put(result.getString("column_name"), result.getString("column_type"));
                }
            }
            return columns;
        }

        @Override
        String typeOf(String type) {
            return switch (type) {
                case "STRING" -> "VARCHAR";
                case "TIMESTAMP(MICROS,UTC)" -> "TIMESTAMP WITH TIME ZONE";
                case "INT64" -> "BIGINT";
                case "LIST<STRING>" -> "VARCHAR[]";
                default -> type;
            };
        }

        private static String text(String column, String type) {
            return switch (type) {
                case "TIMESTAMP WITH TIME ZONE" -> "strftime(" + column + " AT TIME ZONE 'UTC', " + MICROS + ") AS " + column;
                case "VARCHAR[]" -> "CAST(to_json(" + column + ") AS VARCHAR) AS " + column;
                default -> "CAST(" + column + " AS VARCHAR) AS " + column;
            };
        }

        private static Map<String, @Nullable String> row(ResultSet result) throws SQLException {
            Map<String, @Nullable String> row = new HashMap<>();
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                row.put(result.getMetaData().getColumnName(i), result.getString(i));
            }
            return row;
        }
    },

    HYPARQUET {

        @Override
        Map<String, String> read(List<Path> files, Path folder, Consumer<Map<String, @Nullable String>> rows) {
            return readByNode("read.mjs", files, folder, rows);
        }

        @Override
        String typeOf(String type) {
            return switch (type) {
                case "TIMESTAMP(MICROS,UTC)" -> "TIMESTAMP(MICROS,true)";
                case "LIST<STRING>" -> "LIST";
                default -> type;
            };
        }
    },

    POLARS {

        @Override
        Map<String, String> read(List<Path> files, Path folder, Consumer<Map<String, @Nullable String>> rows) {
            return readByNode("polars.mjs", files, folder, rows);
        }

        @Override
        String typeOf(String type) {
            return switch (type) {
                case "STRING" -> "String";
                case "TIMESTAMP(MICROS,UTC)" -> "Datetime(us,UTC)";
                case "INT64" -> "Int64";
                case "DECIMAL(18,9)" -> "Decimal(18,9)";
                case "DOUBLE" -> "Float64";
                case "BOOLEAN" -> "Bool";
                case "LIST<STRING>" -> "List(String)";
                default -> throw new IllegalArgumentException(type);
            };
        }
    };

    /** Reads files and returns the columns with the reader's names of their types. */
    abstract Map<String, String> read(List<Path> files, Path folder, Consumer<Map<String, @Nullable String>> rows);

    /** Returns the reader's name of a type of the manifest. */
    abstract String typeOf(String type);

    private static Map<String, String> readByNode(String program, List<Path> files, Path folder,
            Consumer<Map<String, @Nullable String>> rows) {
        try {
            Path list = Files.write(folder.resolve("files.json"), Json.bytes(array(files)));
            Path output = folder.resolve("rows.jsonl");
            JsonNode summary = NodeProgram.run(Map.of(), program, list.toString(), output.toString());
            try (Stream<String> lines = Files.lines(output)) {
                lines.map(Json::parse).map(FileReader::values).forEach(rows);
            }
            return values(summary.get("columns"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static JsonNode array(List<Path> files) {
        ArrayNode array = Json.object().putArray("files");
        files.forEach(file -> array.add(file.toString()));
        return array;
    }

    private static Map<String, @Nullable String> values(JsonNode row) {
        Map<String, @Nullable String> values = new LinkedHashMap<>();
        row.properties().forEach(value -> values.put(value.getKey(), value.getValue().textValue()));
        return values;
    }
}
