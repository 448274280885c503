package dev.waybill.export.snippet;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

import dev.waybill.export.snippet.ExportedFiles.BucketAddress;

/**
 * Generates a query for PySpark with hadoop-aws. {@code basePath} is the folder of the days: above it, folders that are not
 * partitions would stop Spark's partition discovery, and {@code tenant_id} and {@code session_id} are already columns of the
 * files. Each export is read separately, because Spark accepts one base path per read.
 */
final class SparkSnippet {

    private SparkSnippet() {
    }

    static String of(ExportedFiles data) {
        String folders = data.exports().stream()
                .map(export -> "    " + Literals.script("s3a://" + data.bucket().name() + "/" + export.daysFolder()) + ",")
                .collect(Collectors.joining("\n"));
        return data.header("#", "Start it with --packages org.apache.hadoop:hadoop-aws:<VERSION_OF_YOUR_HADOOP>.") + """
                from functools import reduce
                from pyspark.sql import DataFrame, SparkSession

                spark = (
                    SparkSession.builder
                %s
                    .getOrCreate()
                )
                folders = [
                %s
                ]
                runs = reduce(DataFrame.unionByName, [
                    spark.read.option("basePath", folder).parquet(folder) for folder in folders
                ])
                runs.groupBy("year", "month", "day").count().orderBy("year", "month", "day").show(400)
                """.formatted(settings(data.bucket()), folders);
    }

    private static String settings(BucketAddress bucket) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("access.key", "<ACCESS_KEY_ID>");
        settings.put("secret.key", "<SECRET_ACCESS_KEY>");
        settings.put("endpoint.region", bucket.regionOrDefault());
        if (!bucket.isAws()) {
            settings.put("endpoint", bucket.endpointUrl());
            settings.put("path.style.access", String.valueOf(!bucket.virtualHost()));
        }
        String ofBucket = "spark.hadoop.fs.s3a.bucket." + bucket.name() + ".";
        return settings.entrySet().stream()
                .map(setting -> "    .config(" + Literals.script(ofBucket + setting.getKey()) + ", "
                        + Literals.script(setting.getValue()) + ")\n")
                .collect(Collectors.joining()) + "    .config(\"spark.sql.session.timeZone\", \"UTC\")";
    }
}
