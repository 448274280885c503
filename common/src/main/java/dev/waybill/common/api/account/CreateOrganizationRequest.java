package dev.waybill.common.api.account;

import jakarta.validation.constraints.NotNull;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.security.Plan;

/**
 * Body of {@code POST /v1/organizations}.
 *
 * @param name what people call it; names need not be unique
 * @param plan what it has subscribed to; {@code free} when absent
 */
public record CreateOrganizationRequest(
        @NotNull(message = "is required") @AccountName @Schema(examples = "Acme") String name,
        @Nullable @Schema(examples = "plus") Plan plan) {

    /** The plan that was asked for, or the default. */
    public Plan planOrDefault() {
        return plan == null ? Plan.FREE : plan;
    }
}
