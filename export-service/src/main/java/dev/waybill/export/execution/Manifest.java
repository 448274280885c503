package dev.waybill.export.execution;

import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.export.job.ManifestInput;
import dev.waybill.export.parquet.ExportSchema;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * The manifest of an export, written as its last object (contract.md "Bulk export", manifest members). It lists the files
 * that are complete. Every attempt to write it produces the same content.
 *
 * @param truncatedRows number of rows with texts that were replaced because they are too large
 * @param files {@code path} is the key in the bucket
 * @param createdAt when the last run was completed
 */
@RegisterForReflection(targets = { Manifest.class, ManifestInput.File.class, ExportSchema.Column.class })
public record Manifest(int version, UUID exportId, UUID tenantId, UUID sessionId, Instant startTime, Instant endTime,
        @Nullable String filter, String formatVersion, String compression, List<ExportSchema.Column> schema,
        String schemaSha256, long rows, long bytes, long truncatedRows, List<ManifestInput.File> files, Instant createdAt) {

    private static final int VERSION = 1;

    /** Returns the manifest of a completed export. */
    public static Manifest of(ManifestInput export) {
        var layout = export.layout();
        return new Manifest(VERSION, layout.exportId(), layout.tenantId(), layout.sessionId(), export.startTime(),
                export.endTime(), export.filter(), layout.version().wireName(), export.compression(),
                export.schema().columns(),
                export.schema().sha256(),
                export.files().stream().mapToLong(ManifestInput.File::rows).sum(),
                export.files().stream().mapToLong(ManifestInput.File::bytes).sum(),
                export.truncatedRows(), export.files(), export.dataCompletedAt());
    }

    /** Returns the manifest without its list of files. */
    public Manifest withoutFiles() {
        return new Manifest(version, exportId, tenantId, sessionId, startTime, endTime, filter, formatVersion, compression,
                schema, schemaSha256, rows, bytes, truncatedRows, List.of(), createdAt);
    }

    /** Returns the bytes of the object in the bucket. */
    public byte[] toJson(ObjectMapper json) {
        try {
            return json.writerWithDefaultPrettyPrinter().writeValueAsBytes(this);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
