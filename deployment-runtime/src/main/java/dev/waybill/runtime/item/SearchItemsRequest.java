package dev.waybill.runtime.item;

import java.util.List;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.storage.ItemStorage.ItemOperation;
import dev.waybill.runtime.storage.NoZeroCharacter;
import dev.waybill.runtime.storage.ValidFilter;

/** Body of {@code POST /store/items/search}. */
record SearchItemsRequest(
        @Nullable @ValidLabels @Schema(description = "First labels of the namespaces; default: all namespaces.") List<String> namespacePrefix,
        @Nullable @ValidFilter @NoZeroCharacter @Schema(implementation = Object.class, description = "Members that the value must have, or conditions on them: $eq, $ne, $gt, $gte, $lt, $lte.", examples = "{\"age\": {\"$gte\": 18}}") ObjectNode filter,
        @Nullable @Min(value = 1, message = "must be 1 to 1000") @Max(value = 1000, message = "must be 1 to 1000") @Schema(defaultValue = "10") Integer limit,
        @Nullable @Min(value = 0, message = "must be 0 or more") @Schema(defaultValue = "0") Integer offset,
        @Nullable @Schema(description = "Ignored: items are ordered by their last update.") String query,
        @Nullable @Schema(defaultValue = "true", description = "Whether the times to live of the items begin again.") Boolean refreshTtl) {

    private static final int DEFAULT_LIMIT = 10;

    ItemOperation operation() {
        return new ItemOperation.Search(namespacePrefix == null ? List.of() : namespacePrefix,
                filter == null ? null : filter.toString(), limit == null ? DEFAULT_LIMIT : limit, offset == null ? 0 : offset,
                !Boolean.FALSE.equals(refreshTtl));
    }
}
