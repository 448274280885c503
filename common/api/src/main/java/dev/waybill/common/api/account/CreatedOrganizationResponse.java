package dev.waybill.common.api.account;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import dev.waybill.common.api.Auditable;

/**
 * A new organization.
 *
 * @param key its first API key, organization-wide with the role admin; only this response contains it
 */
public record CreatedOrganizationResponse(UUID id, String name, Plan plan, Instant createdAt,
        @Schema(description = "The first admin key of the whole organization. Only this response contains it.") String key)
        implements
            Auditable {

    /** Omits the key, so that logs never contain it. */
    @Override
    public String toString() {
        return "CreatedOrganizationResponse[id=" + id + ", key=***]";
    }
}
