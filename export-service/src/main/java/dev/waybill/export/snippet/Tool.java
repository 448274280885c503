package dev.waybill.export.snippet;

import java.util.Locale;
import java.util.function.Function;

/** The tools with snippets, in the order of the response. */
enum Tool {
    DUCKDB("sql", "DuckDB", DuckDbSnippet::of),
    SPARK("python", "Apache Spark", SparkSnippet::of),
    ATHENA("sql", "Amazon Athena", AthenaSnippet::of),
    BIGQUERY("sql", "BigQuery", BigQuerySnippet::of),
    SNOWFLAKE("sql", "Snowflake", SnowflakeSnippet::of),
    CLICKHOUSE("sql", "ClickHouse", ClickHouseSnippet::of),
    POLARS("javascript", "Polars (npm nodejs-polars)", PolarsSnippet::of);

    /** Counts the runs per day: works for every export, whatever its columns, and shows whether it is complete. */
    static final String RUNS_BY_DAY = """
            SELECT year, month, day, count(*) AS runs
            FROM waybill_runs
            GROUP BY year, month, day
            ORDER BY year, month, day;
            """;

    private final String language;
    private final String title;
    private final Function<ExportedFiles, String> text;

    Tool(String language, String title, Function<ExportedFiles, String> text) {
        this.language = language;
        this.title = title;
        this.text = text;
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    String language() {
        return language;
    }

    String title() {
        return title;
    }

    String text(ExportedFiles data) {
        return text.apply(data);
    }

    /** An engine's type names for the types of the manifest. */
    record TypeNames(String text, String time, String count, String cost, String seconds, String flag, String list) {

        /** Returns the type name for a type of the manifest. */
        String of(String type) {
            return switch (type) {
                case "STRING" -> text;
                case "TIMESTAMP(MICROS,UTC)" -> time;
                case "INT64" -> count;
                case "DECIMAL(18,9)" -> cost;
                case "DOUBLE" -> seconds;
                case "BOOLEAN" -> flag;
                case "LIST<STRING>" -> list;
                default -> throw new IllegalArgumentException("unknown manifest type: " + type);
            };
        }
    }
}
