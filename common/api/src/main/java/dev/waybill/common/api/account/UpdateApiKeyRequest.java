package dev.waybill.common.api.account;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Body of {@code PATCH /v1/api-keys/{id}}. Null or absent members are unchanged. */
public record UpdateApiKeyRequest(
        @Nullable @AccountName @Schema(examples = "CI") String name,
        @Nullable KeyRole role) {
}
