package dev.waybill.export.parquet;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** The exported session, whose ids are the same in all rows and therefore not read with them. */
public record ExportedSession(UUID tenantId, UUID sessionId, @Nullable String sessionName) {
}
