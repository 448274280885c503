package dev.waybill.common.api.export;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The progress of an export; rows and bytes of days in progress are included as of their last update.
 *
 * @param bytesExported size of data files
 */
public record BulkExportProgress(int runsTotal, int runsCompleted, long rowsExported,
        @Schema(description = "Size of data files.") long bytesExported) {
}
