package dev.waybill.runtime.item;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.storage.NoZeroCharacter;

/** Body of {@code PUT /store/items}. */
record PutItemRequest(
        @NotEmpty(message = "is required") @ValidLabels @Schema(required = true, description = "1 to 32 labels.", examples = "[\"users\", \"ada\"]") List<String> namespace,
        @NotEmpty(message = "is required") @Size(max = ItemKey.MAX_LENGTH, message = ItemKey.TOO_LONG) @NoZeroCharacter @Schema(required = true, examples = "preferences") String key,
        @NotNull(message = "is required") @NoZeroCharacter @Schema(required = true, implementation = Object.class, description = "At most 1 MiB.") ObjectNode value,
        @Nullable @DecimalMin(value = "0", inclusive = false, message = "must be greater than 0") @DecimalMax(value = "52560000", message = "must be at most 52560000") @Schema(description = "Time to live in minutes; default: none.") BigDecimal ttl,
        @Nullable @Schema(implementation = Object.class, description = "Ignored: items are not indexed.") JsonNode index) {

    /** Returns the time to live in whole minutes. */
    @Nullable
    Integer ttlMinutes() {
        return ttl == null ? null : ttl.setScale(0, RoundingMode.CEILING).intValueExact();
    }
}
