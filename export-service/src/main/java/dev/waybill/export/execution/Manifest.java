package dev.waybill.export.execution;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.job.FinishedExport;
import dev.waybill.export.parquet.SchemaColumn;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * The last object of an export (contract.md "Bulk export", manifest members): who finds it may read the files it lists, and no
 * others. The same export makes the same manifest, however often it is written.
 *
 * @param truncatedRows how many rows have texts that were replaced because they are too large
 * @param files {@code path} is the key in the bucket
 * @param createdAt when the last of the data was complete
 */
@RegisterForReflection(targets = { Manifest.class, FinishedExport.File.class, SchemaColumn.class })
record Manifest(int version, UUID exportId, UUID tenantId, UUID sessionId, Instant startTime, Instant endTime,
        @Nullable String filter, String formatVersion, String compression, List<SchemaColumn> schema, String schemaSha256,
        long rows, long bytes, long truncatedRows, List<FinishedExport.File> files, Instant createdAt) {

    private static final int VERSION = 1;

    static Manifest of(FinishedExport export) {
        var layout = export.layout();
        return new Manifest(VERSION, layout.exportId(), layout.tenantId(), layout.sessionId(), export.startTime(),
                export.endTime(), export.filter(), layout.version().wireName(), export.compression(), export.schema().columns(),
                export.schema().sha256(),
                export.files().stream().mapToLong(FinishedExport.File::rows).sum(),
                export.files().stream().mapToLong(FinishedExport.File::bytes).sum(),
                export.truncatedRows(), export.files(), export.dataCompletedAt());
    }
}
