package dev.waybill.runtime.item;

import java.util.List;

import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import dev.waybill.runtime.storage.NoZeroCharacter;

/** Body of {@code DELETE /store/items}. */
record DeleteItemRequest(
        @NotEmpty(message = "is required") @ValidLabels @Schema(required = true, examples = "[\"users\", \"ada\"]") List<String> namespace,
        @NotEmpty(message = "is required") @Size(max = ItemKey.MAX_LENGTH, message = ItemKey.TOO_LONG) @NoZeroCharacter @Schema(required = true, examples = "preferences") String key) {
}
