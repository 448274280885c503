package dev.waybill.common.api.export;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * How far an export is; rows and bytes of days under way count as far as they were last heard of.
 *
 * @param bytesExported of data files
 */
public record BulkExportProgress(int runsTotal, int runsCompleted, long rowsExported,
        @Schema(description = "Of data files.") long bytesExported) {
}
