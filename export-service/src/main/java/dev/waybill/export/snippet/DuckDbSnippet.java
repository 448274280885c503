package dev.waybill.export.snippet;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.waybill.export.parquet.ExportField;
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.parquet.FormatVersion;
import dev.waybill.export.snippet.ExportedFiles.BucketAddress;

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

    /**
     * Generates a view that counts tokens and costs once, like the session statistics: if a run and its descendants have them,
     * only the deepest retain them.
     */
    private static final class DuckDbUsageView {

        private static final List<ExportField> TOKENS = List.of(ExportField.PROMPT_TOKENS, ExportField.COMPLETION_TOKENS,
                ExportField.TOTAL_TOKENS);
        private static final List<ExportField> COSTS = List.of(ExportField.PROMPT_COST, ExportField.COMPLETION_COST,
                ExportField.TOTAL_COST);

        private DuckDbUsageView() {
        }

        /** Returns the statement that creates the view; empty if the export lacks a column that it requires. */
        static String of(ExportSchema schema) {
            boolean complete = Stream.of(List.of(ExportField.ID, ExportField.PARENT_RUN_IDS), TOKENS, COSTS)
                    .allMatch(schema.fields()::containsAll);
            return !complete ? ""
                    : """
                            -- Counts tokens and costs once: they are NULL in runs whose descendants also have them. Sum these columns.
                            CREATE OR REPLACE VIEW waybill_usage AS
                            WITH above AS (
                                SELECT parent.id, bool_or(parent.tokens) AS tokens, bool_or(parent.costs) AS costs
                                FROM (
                                    SELECT unnest({parents}) AS id, {has_tokens} AS tokens, {has_costs} AS costs
                                    FROM waybill_runs) AS parent
                                GROUP BY parent.id)
                            SELECT runs.* REPLACE (
                            {columns})
                            FROM waybill_runs AS runs LEFT JOIN above USING (id);

                            """
                            .replace("{parents}",
                                    isText(schema) ? "from_json(parent_run_ids, '[\"VARCHAR\"]')" : "parent_run_ids")
                            .replace("{has_tokens}", anyOf(TOKENS, "BIGINT", schema))
                            .replace("{has_costs}", anyOf(COSTS, "DECIMAL(18, 9)", schema))
                            .replace("{columns}", Stream.concat(columns(TOKENS, "tokens", "BIGINT", schema),
                                    columns(COSTS, "costs", "DECIMAL(18, 9)", schema)).collect(Collectors.joining(",\n")));
        }

        private static String anyOf(List<ExportField> fields, String type, ExportSchema schema) {
            return fields.stream().map(field -> number(field, type, schema))
                    .collect(Collectors.joining(", ", "coalesce(greatest(", ") > 0, false)"));
        }

        private static Stream<String> columns(List<ExportField> fields, String kind, String type, ExportSchema schema) {
            return fields.stream()
                    .map(field -> "    CASE WHEN above." + kind + " IS NOT TRUE THEN " + number(field, type, schema)
                            + " END AS " + field.wireName());
        }

        private static String number(ExportField field, String type, ExportSchema schema) {
            return isText(schema) ? "CAST(" + field.wireName() + " AS " + type + ")" : field.wireName();
        }

        private static boolean isText(ExportSchema schema) {
            return schema.version() == FormatVersion.V1;
        }
    }
}
