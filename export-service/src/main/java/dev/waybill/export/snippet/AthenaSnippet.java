package dev.waybill.export.snippet;

import java.util.stream.Collectors;

import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.snippet.Tool.TypeNames;

/**
 * Generates Athena DDL with partition projection. Partition numbers are not padded, hence integers without {@code digits}. In
 * Hive's grammar, a backslash escapes, and two adjacent string literals are concatenated.
 */
final class AthenaSnippet {

    private static final TypeNames TYPES = new TypeNames("string", "timestamp", "bigint", "decimal(18,9)", "double", "boolean",
            "array<string>");

    private AthenaSnippet() {
    }

    static String of(ExportedFiles data) {
        String root = "s3://" + (data.bucket().isAws() ? data.bucket().name() : "<AWS_BUCKET>") + "/";
        String folder = root + (data.scheduled() ? data.folderOf("${export_id}") : data.folderOf(data.ids("")));
        return header(data) + """
                CREATE EXTERNAL TABLE waybill_runs (
                %s
                )
                PARTITIONED BY (%s`year` int, `month` int, `day` int)
                STORED AS PARQUET
                LOCATION %s
                TBLPROPERTIES (
                    'projection.enabled' = 'true',
                %s    'projection.year.type' = 'integer',
                    'projection.year.range' = '%s,%s',
                    'projection.month.type' = 'integer',
                    'projection.month.range' = '1,12',
                    'projection.day.type' = 'integer',
                    'projection.day.range' = '1,31',
                    'storage.location.template' = %s
                );

                """.formatted(columns(data), data.scheduled() ? "`export_id` string, " : "",
                Literals.escapedSql(data.scheduled() ? root + data.keyPrefix() : folder + "/"), exports(data), data.firstYear(),
                data.lastYear(), Literals.escapedSql(folder + "/year=${year}/month=${month}/day=${day}/")) + Tool.RUNS_BY_DAY;
    }

    private static String header(ExportedFiles data) {
        return data.bucket().isAws() ? data.header("--", "Run the statements one at a time.")
                : data.header("--",
                        "Athena reads AWS buckets only: copy the objects, with the same keys, to an AWS bucket.",
                        "Run the statements one at a time.");
    }

    private static String columns(ExportedFiles data) {
        return data.schema().columns().stream()
                .map((ExportSchema.Column column) -> "    `" + column.name() + "` " + TYPES.of(column.type()))
                .collect(Collectors.joining(",\n"));
    }

    private static String exports(ExportedFiles data) {
        return data.scheduled() ? "    'projection.export_id.type' = 'enum',\n    'projection.export_id.values' = '"
                + data.ids(",") + "',\n" : "";
    }
}
