package dev.waybill.export.job;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.run.ExportLayout;

/**
 * The data of a manifest: an export whose runs are all completed.
 *
 * @param files in the order of their rows
 * @param failedAttempts number of failed attempts to write the manifest
 * @param dataCompletedAt when the last run was completed; equal in every attempt to write the manifest
 * @param truncatedRows number of rows with texts that were replaced because they are too large
 */
public record ManifestInput(UUID destinationId, Instant startTime, Instant endTime, ExportLayout layout,
        ExportSchema schema, String compression, @Nullable String filter, List<File> files, int failedAttempts,
        Instant dataCompletedAt, long truncatedRows) {

    public ManifestInput {
        files = List.copyOf(files);
    }

    /** A file of the export as listed in the manifest. */
    public record File(String path, long rows, long bytes, String sha256, Instant minStartTime, Instant maxStartTime) {
    }
}
