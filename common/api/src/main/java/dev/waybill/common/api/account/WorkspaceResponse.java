package dev.waybill.common.api.account;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import dev.waybill.common.api.Auditable;

/**
 * A workspace.
 *
 * @param id value for {@code X-Tenant-Id}; other responses contain it as {@code tenant_id}
 */
public record WorkspaceResponse(
        @Schema(description = "The value for X-Tenant-Id; other responses contain it as tenant_id.") UUID id,
        String name, UUID organizationId, Instant createdAt) implements Auditable {
}
