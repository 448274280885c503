package dev.waybill.export.snippet;

import java.util.stream.Collectors;

import dev.waybill.export.snippet.ExportedFiles.BucketAddress;
import dev.waybill.export.snippet.Tool.TypeNames;

/** Generates a Snowflake stage and an external table, whose partitions are parsed from the file names. */
final class SnowflakeSnippet {

    private static final TypeNames TYPES = new TypeNames("VARCHAR", "TIMESTAMP_LTZ", "NUMBER(19,0)", "NUMBER(18,9)", "DOUBLE",
            "BOOLEAN", "ARRAY");

    private SnowflakeSnippet() {
    }

    static String of(ExportedFiles data) {
        return header(data) + """
                CREATE OR REPLACE STAGE waybill_bucket
                    URL = %s
                %s    CREDENTIALS = (AWS_KEY_ID = '<ACCESS_KEY_ID>' AWS_SECRET_KEY = '<SECRET_ACCESS_KEY>');

                CREATE OR REPLACE EXTERNAL TABLE waybill_runs (
                    year NUMBER(4,0) AS (SPLIT_PART(SPLIT_PART(METADATA$FILENAME, '/year=', 2), '/', 1)::NUMBER(4,0)),
                    month NUMBER(2,0) AS (SPLIT_PART(SPLIT_PART(METADATA$FILENAME, '/month=', 2), '/', 1)::NUMBER(2,0)),
                    day NUMBER(2,0) AS (SPLIT_PART(SPLIT_PART(METADATA$FILENAME, '/day=', 2), '/', 1)::NUMBER(2,0)),
                %s
                )
                PARTITION BY (year, month, day)
                LOCATION = @waybill_bucket
                AUTO_REFRESH = FALSE
                PATTERN = %s
                FILE_FORMAT = (TYPE = PARQUET USE_LOGICAL_TYPE = TRUE);

                """.formatted(Literals.escapedSql(url(data)), endpoint(data.bucket()), columns(data),
                Literals.escapedSql(pattern(data))) + Tool.RUNS_BY_DAY;
    }

    private static String header(ExportedFiles data) {
        return data.bucket().isAws() ? data.header("--")
                : data.header("--",
                        "Snowflake reads stores other than AWS only after its support has allowed their endpoint.");
    }

    private static String url(ExportedFiles data) {
        return (data.bucket().isAws() ? "s3://" : "s3compat://") + data.bucket().name() + "/"
                + (data.scheduled() ? data.keyPrefix() : data.exports().getFirst().daysFolder() + "/");
    }

    private static String endpoint(BucketAddress bucket) {
        return bucket.isAws() ? ""
                : "    ENDPOINT = " + Literals.escapedSql(bucket.authority()) + "\n    REGION = "
                        + Literals.escapedSql(bucket.regionOrDefault()) + "\n";
    }

    private static String columns(ExportedFiles data) {
        return data.schema().columns().stream()
                .map(column -> "    " + column.name() + " " + TYPES.of(column.type()) + " AS (VALUE:\"" + column.name() + "\"::"
                        + TYPES.of(column.type()) + ")")
                .collect(Collectors.joining(",\n"));
    }

    private static String pattern(ExportedFiles data) {
        return (data.scheduled() ? ".*export_id=(" + data.ids("|") + ")/.*" : ".*")
                + "year=[0-9]+/month=[0-9]+/day=[0-9]+/part-[0-9]+[.]parquet";
    }
}
