package dev.waybill.export.run;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.UUID;

import dev.waybill.export.parquet.FormatVersion;

/**
 * Where an export's objects lie (contract.md "Bulk export", object keys). A key depends on the export and the day alone, so
 * that whoever writes it again writes the same object.
 *
 * @param keyPrefix the destination's own, empty or ending in a slash
 */
public record ExportLayout(String keyPrefix, UUID exportId, UUID tenantId, UUID sessionId, FormatVersion version) {

    /** The key of the manifest. */
    public String manifest() {
        return root() + "_manifest.json";
    }

    /** The folder of all days, without a slash at its end. */
    public String daysFolder() {
        return root() + switch (version) {
            case V1 -> "runs";
            case V2_BETA -> "resource=runs";
        };
    }

    /**
     * The folder of the day in which {@code time} lies, without a slash at its end. Numbers are not padded: readers compare
     * them.
     */
    public String folder(Instant time) {
        LocalDate day = LocalDate.ofInstant(time, ZoneOffset.UTC);
        return daysFolder() + "/year=" + day.getYear() + "/month=" + day.getMonthValue() + "/day=" + day.getDayOfMonth();
    }

    /** The key of a day's file. */
    public String file(Instant time, int number) {
        return folder(time) + String.format(Locale.ROOT, "/part-%05d.parquet", number);
    }

    private String root() {
        return keyPrefix + "export_id=" + exportId + "/tenant_id=" + tenantId + "/session_id=" + sessionId + "/";
    }
}
