package dev.waybill.export.snippet;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

import dev.waybill.export.snippet.ExportedFiles.BucketAddress;

/** Generates a lazy query for Polars on Node.js, which fetches only the selected columns and days. */
final class PolarsSnippet {

    private PolarsSnippet() {
    }

    static String of(ExportedFiles data) {
        String folders = data.exports().stream()
                .map(export -> "  " + Literals.script("s3://" + data.bucket().name() + "/" + Literals.glob(export.daysFolder()))
                        + ",")
                .collect(Collectors.joining("\n"));
        return data.header("//") + """
                import pl from "nodejs-polars";

                const cloudOptions = {
                %s
                };
                const folders = [
                %s
                ];
                const runs = pl.concat(folders.map((folder) =>
                  pl.scanParquet(folder + "/**/*.parquet", { cloudOptions, hivePartitioning: true })));
                const days = await runs.groupBy(["year", "month", "day"]).agg(pl.col("day").count().alias("runs")).collect();
                console.log(days.sort(["year", "month", "day"]).toString());
                """.formatted(options(data.bucket()), folders);
    }

    private static String options(BucketAddress bucket) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("aws_access_key_id", "<ACCESS_KEY_ID>");
        options.put("aws_secret_access_key", "<SECRET_ACCESS_KEY>");
        options.put("aws_region", bucket.regionOrDefault());
        if (!bucket.isAws()) {
            options.put("aws_endpoint_url", bucket.virtualHost() ? bucket.bucketUrl() : bucket.endpointUrl());
        }
        if (bucket.virtualHost()) {
            options.put("aws_virtual_hosted_style_request", "true");
        }
        if (bucket.isPlainHttp()) {
            options.put("aws_allow_http", "true");
        }
        return options.entrySet().stream()
                .map(option -> "  " + option.getKey() + ": " + Literals.script(option.getValue()) + ",")
                .collect(Collectors.joining("\n"));
    }
}
