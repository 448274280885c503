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

/** Finds exports under the same prefix that readers of the whole prefix cannot read together with a new one. */
@Singleton
class PrefixWarnings {

    static final String OTHER_VERSION = "This destination's prefix also holds exports of another format_version, whose folders"
            + " are named otherwise: Spark cannot discover partitions below the prefix. Read the folder of each export by itself,"
            + " or use a destination with a prefix of its own.";
    static final String OTHER_FIELDS = "This destination's prefix also holds exports with other export_fields: who reads the"
            + " whole prefix at once gets the columns of one of them or an error. Read the folder of each export by itself, or use"
            + " a destination with a prefix of its own.";

    // What a schedule made has the schedule's settings.
    private static final String OTHERS = """
            SELECT coalesce(bool_or(o.format_version <> $4), false) AS other_version,
                   coalesce(bool_or(o.format_version = $4 AND $5::text[] <> ARRAY(
                       SELECT f FROM unnest(coalesce(o.export_fields, $6::text[])) AS f ORDER BY f COLLATE "C")), false)
                       AS other_fields
            FROM export.destinations AS mine
            JOIN export.destinations AS d ON d.tenant_id = mine.tenant_id AND d.bucket_name = mine.bucket_name
                AND d.endpoint_url IS NOT DISTINCT FROM mine.endpoint_url
            JOIN export.bulk_exports AS o ON o.tenant_id = d.tenant_id AND o.destination_id = d.id
            WHERE mine.tenant_id = $1 AND mine.id = $2 AND o.key_prefix = $3 AND o.source_bulk_export_id IS NULL
                AND (o.status IN ('Created', 'Running', 'Completed') OR o.interval_hours IS NOT NULL)
            """;

    /** Returns sentences for the caller that orders the export; empty for none. */
    Uni<List<String>> of(SqlConnection connection, UUID tenantId, String keyPrefix, ExportOrder order) {
        List<String> fields = order.exportFields();
        String[] all = ExportField.all().stream().map(ExportField::wireName).toArray(String[]::new);
        String[] ours = (fields == null ? List.of(all) : fields).stream().sorted().toArray(String[]::new);
        return connection.preparedQuery(OTHERS)
                .execute(Tuple.of(tenantId, order.destinationId(), keyPrefix, order.version().wireName())
                        .addArrayOfString(ours)
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
