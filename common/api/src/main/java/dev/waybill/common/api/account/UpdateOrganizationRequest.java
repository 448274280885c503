package dev.waybill.common.api.account;

import jakarta.validation.constraints.NotNull;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Body of {@code PATCH /v1/organizations/{id}}.
 *
 * @param plan new plan of the organization
 */
public record UpdateOrganizationRequest(
        @NotNull(message = "is required") @Schema(examples = "enterprise") Plan plan) {
}
