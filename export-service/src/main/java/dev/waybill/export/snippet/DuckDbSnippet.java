package dev.waybill.export.snippet;

import java.util.stream.Collectors;

/** Generates a view for DuckDB 1.2 and newer, which finds files by pattern and partitions by folder names. */
final class DuckDbSnippet {

    private DuckDbSnippet() {
    }

    static String of(ExportedFiles data) {
        BucketAddress bucket = data.bucket();
        String folders = data.exports().stream()
                .map(export -> "    "
                        + Literals.sql("s3://" + bucket.name() + "/" + Literals.glob(export.daysFolder()) + "/**/*.parquet"))
                .collect(Collectors.joining(",\n"));
        return data.header("--") + """
                INSTALL httpfs;
                LOAD httpfs;

                CREATE OR REPLACE SECRET waybill_bucket (
                    TYPE s3,
                    KEY_ID '<ACCESS_KEY_ID>',
                    SECRET '<SECRET_ACCESS_KEY>',
                    REGION %s,
                %s    SCOPE %s
                );

                CREATE OR REPLACE VIEW waybill_runs AS
                SELECT * FROM read_parquet([
                %s
                ], hive_partitioning = true);

                """.formatted(Literals.sql(bucket.regionOrDefault()), endpoint(bucket),
                Literals.sql("s3://" + bucket.name() + "/"),
                folders) + DuckDbUsageView.of(data.schema()) + Tool.RUNS_BY_DAY;
    }

    private static String endpoint(BucketAddress bucket) {
        return bucket.isAws() ? ""
                : "    ENDPOINT " + Literals.sql(bucket.authority()) + ",\n    URL_STYLE '"
                        + (bucket.virtualHost() ? "vhost" : "path") + "',\n"
                        + (bucket.isPlainHttp() ? "    USE_SSL false,\n" : "");
    }
}
