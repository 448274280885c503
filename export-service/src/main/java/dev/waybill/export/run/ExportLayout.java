package dev.waybill.export.run;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.UUID;

import dev.waybill.export.parquet.FormatVersion;
import io.vertx.mutiny.sqlclient.Row;

/**
 * Object keys of an export (contract.md "Bulk export", object keys). A key depends on the export and the day only, so that a
 * retry writes the same object.
 *
 * @param keyPrefix prefix of the destination, empty or ending in a slash
 */
public record ExportLayout(String keyPrefix, UUID exportId, UUID tenantId, UUID sessionId, FormatVersion version) {

    /** Returns the layout of the export of a row. */
    public static ExportLayout from(Row row) {
        FormatVersion version = FormatVersion.of(row.getString("format_version")).orElseThrow();
        return new ExportLayout(row.getString("key_prefix"), row.getUUID("export_id"), row.getUUID("tenant_id"),
                row.getUUID("session_id"), version);
    }

    /** Returns the key of the manifest. */
    public String manifest() {
        return root() + "_manifest.json";
    }

    /** Returns the folder of the export, with a trailing slash; it contains no object of another export. */
    public String exportFolder() {
        return keyPrefix + "export_id=" + exportId + "/";
    }

    /** Returns the folder of all days, without trailing slash. */
    public String daysFolder() {
        return root() + switch (version) {
            case V1 -> "runs";
            case V2_BETA -> "resource=runs";
        };
    }

    /**
     * Returns the folder of the UTC day of {@code time}, without trailing slash. Numbers are not padded, so that query engines
     * infer integer partition columns.
     */
    public String folder(Instant time) {
        LocalDate day = LocalDate.ofInstant(time, ZoneOffset.UTC);
        return daysFolder() + "/year=" + day.getYear() + "/month=" + day.getMonthValue() + "/day=" + day.getDayOfMonth();
    }

    /** Returns the key of a file of the day. */
    public String file(Instant time, int number) {
        return folder(time) + String.format(Locale.ROOT, "/part-%05d.parquet", number);
    }

    private String root() {
        return exportFolder() + "tenant_id=" + tenantId + "/session_id=" + sessionId + "/";
    }
}
