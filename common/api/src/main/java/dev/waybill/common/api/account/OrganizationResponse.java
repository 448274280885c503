package dev.waybill.common.api.account;

import java.time.Instant;
import java.util.UUID;

import dev.waybill.common.api.Auditable;

/** An organization. */
public record OrganizationResponse(UUID id, String name, Plan plan, Instant createdAt) implements Auditable {
}
