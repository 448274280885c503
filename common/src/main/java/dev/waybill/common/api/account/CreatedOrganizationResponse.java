package dev.waybill.common.api.account;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import dev.waybill.common.audit.Auditable;
import dev.waybill.common.security.Plan;

/**
 * A new organization.
 *
 * @param key its first API key, organization-wide with the role admin; answered here and never again
 */
public record CreatedOrganizationResponse(UUID id, String name, Plan plan, Instant createdAt,
        @Schema(description = "The first admin key of the whole organization. It is answered here and never again.") String key)
        implements
            Auditable {

    /** Without the key, so that no log shows it. */
    @Override
    public String toString() {
        return "CreatedOrganizationResponse[id=" + id + ", key=***]";
    }
}
