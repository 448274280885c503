package dev.waybill.export.run;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.BulkExportRunResponse;
import dev.waybill.common.api.export.RunError;
import dev.waybill.common.api.export.RunMetadata;
import dev.waybill.common.api.export.RunResult;
import dev.waybill.common.time.Timestamps;

/**
 * A run as returned to clients.
 *
 * @param attempts number of started attempts
 * @param files keys of its files; empty until it is completed
 * @param lastStartTime start time of its last row; null until it is completed, and without rows
 * @param truncatedRows number of rows with replaced texts; null until it is completed, and without rows
 * @param sizesVerified whether the sizes of all files were verified in the store; null until it is completed
 */
record ExportRun(UUID id, UUID exportId, ExportLayout layout, RunState state, int attempts, Instant startTime,
        Instant endTime, long rowsWritten, long bytesWritten, Map<String, RunError> errors, Instant createdAt,
        Instant updatedAt, @Nullable Instant finishedAt, List<String> files, @Nullable Instant lastStartTime,
        @Nullable Boolean sizesVerified, @Nullable Long truncatedRows) {

    BulkExportRunResponse toResponse() {
        RunResult result = new RunResult(rowsWritten, bytesWritten, files, layout.folder(startTime),
                lastStartTime == null ? null : Timestamps.format(lastStartTime), sizesVerified,
                truncatedRows);
        return new BulkExportRunResponse(id, exportId, state.status(), Math.max(0, attempts - 1), startTime, endTime, errors,
                createdAt, updatedAt, finishedAt, new RunMetadata(layout.keyPrefix(), startTime, endTime, result));
    }
}
