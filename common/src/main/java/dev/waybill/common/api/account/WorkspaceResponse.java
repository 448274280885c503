package dev.waybill.common.api.account;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import dev.waybill.common.audit.Auditable;

/**
 * A workspace as the wire shows it.
 *
 * @param id what {@code X-Tenant-Id} names and other answers call {@code tenant_id}
 */
public record WorkspaceResponse(
        @Schema(description = "What X-Tenant-Id names and other answers call tenant_id.") UUID id,
        String name, UUID organizationId, Instant createdAt) implements Auditable {
}
