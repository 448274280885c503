package dev.waybill.common.api.account;

import jakarta.validation.constraints.NotNull;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Body of {@code POST /v1/workspaces}.
 *
 * @param name unique in the organization
 */
public record CreateWorkspaceRequest(
        @NotNull(message = "is required") @AccountName @Schema(examples = "Production") String name) {
}
