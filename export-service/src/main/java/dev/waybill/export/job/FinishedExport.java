package dev.waybill.export.job;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.lease.Lease;
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.run.ExportLayout;

/**
 * An export all of whose runs are completed, and which only lacks its manifest.
 *
 * @param files in the order of their rows
 * @param failedAttempts how often writing the manifest failed
 * @param truncatedRows how many rows have texts that were replaced because they are too large
 * @param dataCompletedAt when the last run was completed: the same however often the manifest is written
 */
public record FinishedExport(Lease lease, UUID destinationId, Instant startTime, Instant endTime, ExportLayout layout,
        ExportSchema schema, String compression, @Nullable String filter, List<File> files, int failedAttempts,
        Instant dataCompletedAt, long truncatedRows) {

    public FinishedExport {
        files = List.copyOf(files);
    }

    /** A file of the export, as the manifest lists it. */
    public record File(String path, long rows, long bytes, String sha256, Instant minStartTime, Instant maxStartTime) {
    }
}
