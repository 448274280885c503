package dev.waybill.export.snippet;

import java.util.List;
import java.util.stream.Collectors;

import dev.waybill.export.snippet.ExportedFiles.BucketAddress;

/**
 * Generates an external table for BigQuery, which reads columns and types from the files. The partition prefix ends below
 * {@code tenant_id} and {@code session_id}, because a column must not also be a partition. Several exports have no common
 * prefix, so their days are parsed from the file names.
 */
final class BigQuerySnippet {

    private BigQuerySnippet() {
    }

    static String of(ExportedFiles data) {
        return header(data) + """
                CREATE OR REPLACE EXTERNAL TABLE `<DATASET>.waybill_runs`
                %s%sOPTIONS (
                    format = 'PARQUET',
                    enable_list_inference = TRUE,
                %s    uris = [
                %s
                    ]
                );

                """.formatted(data.scheduled() ? "" : "WITH PARTITION COLUMNS (year INT64, month INT64, day INT64)\n",
                data.bucket().isAws() ? "WITH CONNECTION `aws-" + data.bucket().regionOrDefault() + ".<CONNECTION>`\n" : "",
                data.scheduled() ? ""
                        : "    hive_partition_uri_prefix = " + Literals.escapedSql(folders(data).getFirst()) + ",\n",
                folders(data).stream().map(folder -> "        " + Literals.escapedSql(folder + "/*"))
                        .collect(Collectors.joining(",\n")))
                + query(data);
    }

    private static String header(ExportedFiles data) {
        if (data.bucket().isGcs()) {
            return data.header("--");
        }
        return data.bucket().isAws()
                ? data.header("--", "BigQuery reads AWS through a connection (BigQuery Omni) in the bucket's region.")
                : data.header("--",
                        "BigQuery cannot read this store: copy the objects, with the same keys, to Cloud Storage.");
    }

    private static List<String> folders(ExportedFiles data) {
        BucketAddress bucket = data.bucket();
        String root = bucket.isAws() ? "s3://" + bucket.name() : "gs://" + (bucket.isGcs() ? bucket.name() : "<GCS_BUCKET>");
        return data.exports().stream().map(export -> root + "/" + export.daysFolder()).toList();
    }

    private static String query(ExportedFiles data) {
        if (!data.scheduled()) {
            return Tool.RUNS_BY_DAY.replace("waybill_runs", "`<DATASET>.waybill_runs`");
        }
        return """
                SELECT
                    CAST(REGEXP_EXTRACT(_FILE_NAME, r'/year=([0-9]+)/') AS INT64) AS year,
                    CAST(REGEXP_EXTRACT(_FILE_NAME, r'/month=([0-9]+)/') AS INT64) AS month,
                    CAST(REGEXP_EXTRACT(_FILE_NAME, r'/day=([0-9]+)/') AS INT64) AS day,
                    count(*) AS runs
                FROM `<DATASET>.waybill_runs`
                GROUP BY year, month, day
                ORDER BY year, month, day;
                """;
    }
}
