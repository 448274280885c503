package dev.waybill.common.api.account;

import jakarta.validation.constraints.NotNull;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Body of {@code POST /v1/organizations}.
 *
 * @param name display name; need not be unique
 * @param plan plan of the organization; {@code free} if absent
 */
public record CreateOrganizationRequest(
        @NotNull(message = "is required") @AccountName @Schema(examples = "Acme") String name,
        @Nullable @Schema(examples = "plus") Plan plan) {

    /** Returns the requested plan, or free. */
    public Plan planOrDefault() {
        return plan == null ? Plan.FREE : plan;
    }
}
