package dev.waybill.export.snippet;

import java.util.stream.Collectors;

import dev.waybill.export.snippet.Tool.TypeNames;

/**
 * Generates a query with ClickHouse's table function. It declares the columns and parses the days from {@code _path}, so that
 * it works whether or not a release detects partitions, and with columns that exist both in path and file.
 */
final class ClickHouseSnippet {

    private static final TypeNames TYPES = new TypeNames("Nullable(String)", "Nullable(DateTime64(6, 'UTC'))",
            "Nullable(Int64)",
            "Nullable(Decimal(18, 9))", "Nullable(Float64)", "Nullable(Bool)", "Array(Nullable(String))");

    private ClickHouseSnippet() {
    }

    static String of(ExportedFiles data) {
        return data.header("--", "Requires ClickHouse 24.8 or newer.") + """
                SELECT
                    toUInt16(extract(_path, '/year=([0-9]+)/')) AS year,
                    toUInt8(extract(_path, '/month=([0-9]+)/')) AS month,
                    toUInt8(extract(_path, '/day=([0-9]+)/')) AS day,
                    count() AS runs
                FROM s3(
                    %s,
                    '<ACCESS_KEY_ID>',
                    '<SECRET_ACCESS_KEY>',
                    'Parquet',
                    %s
                )
                GROUP BY year, month, day
                ORDER BY year, month, day
                SETTINGS use_hive_partitioning = 0;
                """.formatted(Literals.escapedSql(data.bucket().bucketUrl() + "/"
                + data.folderOf(exports(data)) + "/year=*/month=*/day=*/*.parquet"), Literals.escapedSql(structure(data)));
    }

    private static String exports(ExportedFiles data) {
        return data.exports().size() == 1 ? data.ids("") : "{" + data.ids(",") + "}";
    }

    private static String structure(ExportedFiles data) {
        return data.schema().columns().stream()
                .map(column -> "`" + column.name() + "` " + TYPES.of(column.type()))
                .collect(Collectors.joining(", "));
    }
}
