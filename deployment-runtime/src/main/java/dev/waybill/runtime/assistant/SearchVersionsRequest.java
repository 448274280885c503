package dev.waybill.runtime.assistant;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.storage.AssistantStorage.VersionFilter;
import dev.waybill.runtime.storage.ValidFilter;

/** Body of {@code POST /assistants/{assistant_id}/versions}. */
record SearchVersionsRequest(
        @Nullable @ValidFilter @Schema(implementation = Object.class, description = "Members that the version's metadata must contain.") ObjectNode metadata,
        @Nullable @Min(value = 1, message = "must be 1 to 1000") @Max(value = 1000, message = "must be 1 to 1000") @Schema(defaultValue = "10") Integer limit,
        @Nullable @Min(value = 0, message = "must be 0 or more") @Schema(defaultValue = "0") Integer offset) {

    private static final int DEFAULT_LIMIT = 10;

    VersionFilter filter() {
        return new VersionFilter(AssistantService.textOrNull(metadata), limit == null ? DEFAULT_LIMIT : limit,
                offset == null ? 0 : offset);
    }
}
