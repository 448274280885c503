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
}
