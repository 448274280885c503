package dev.waybill.export.parquet;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** What all rows of an export have in common, and which is therefore not read with each of them. */
public record ExportedSession(UUID tenantId, UUID sessionId, @Nullable String sessionName) {
}
