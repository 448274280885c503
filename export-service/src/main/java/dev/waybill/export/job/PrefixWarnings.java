package dev.waybill.export.job;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.export.parquet.ExportField;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Detects exports under the same prefix whose format or fields prevent reading them together with a new export. */
@Singleton
class PrefixWarnings {

    static final String OTHER_VERSION = "This destination's prefix also contains exports of another format_version with a"
            + " different folder layout: Spark cannot discover partitions below the prefix. Read the folder of each export"
            + " separately, or use a destination with a separate prefix.";
    static final String OTHER_FIELDS = "This destination's prefix also contains exports with other export_fields: a query of"
            + " the whole prefix returns the columns of one of them or an error. Read the folder of each export separately, or use"
            + " a destination with a separate prefix.";

    // Exports of a schedule have the schedule's settings, so only the schedule is compared.
    private static final String OTHERS = """
            SELECT coalesce(bool_or(o.format_version <> $4), false) AS other_version,
                   coalesce(bool_or(o.format_version = $4 AND $5::text[] <> ARRAY(
                       SELECT f FROM unnest(coalesce(o.export_fields, $6::text[])) AS f ORDER BY f COLLATE "C")), false)
                       AS other_fields
            FROM export.destinations AS own
            JOIN export.destinations AS d ON d.tenant_id = own.tenant_id AND d.bucket_name = own.bucket_name
                AND d.endpoint_url IS NOT DISTINCT FROM own.endpoint_url
            JOIN export.bulk_exports AS o ON o.tenant_id = d.tenant_id AND o.destination_id = d.id
            WHERE own.tenant_id = $1 AND own.id = $2 AND o.key_prefix = $3 AND o.source_bulk_export_id IS NULL
                AND (o.status IN ('Created', 'Running', 'Completed') OR o.interval_hours IS NOT NULL)
            """;

    /** Returns warnings for the client that creates the export. */
    Uni<List<String>> of(SqlConnection connection, UUID tenantId, String keyPrefix, ExportSpec spec) {
        List<String> fields = spec.exportFields();
        String[] all = ExportField.all().stream().map(ExportField::wireName).toArray(String[]::new);
        String[] requested = (fields == null ? List.of(all) : fields).stream().sorted().toArray(String[]::new);
        return connection.preparedQuery(OTHERS)
                .execute(Tuple.of(tenantId, spec.destinationId(), keyPrefix, spec.version().wireName())
                        .addArrayOfString(requested)
                        .addArrayOfString(all))
                .map(rows -> warnings(rows.iterator().next()));
    }

    private static List<String> warnings(Row row) {
        List<String> warnings = new ArrayList<>();
        if (row.getBoolean("other_version")) {
            warnings.add(OTHER_VERSION);
        }
        if (row.getBoolean("other_fields")) {
            warnings.add(OTHER_FIELDS);
        }
        return warnings;
    }
}
