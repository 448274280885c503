package dev.waybill.runtime.item;

import java.util.ArrayList;
import java.util.List;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.ItemStorage.ItemOperation;
import dev.waybill.runtime.storage.ItemStorage.NamespaceMatch;

/** Body of {@code POST /store/namespaces}. */
record SearchNamespacesRequest(
        @Nullable @ValidLabels @Schema(description = "First labels of the namespaces; * is any label.") List<String> prefix,
        @Nullable @ValidLabels @Schema(description = "Last labels of the namespaces; * is any label.") List<String> suffix,
        @Nullable @Min(value = 1, message = "must be 1 to 32") @Max(value = 32, message = "must be 1 to 32") @Schema(description = "Number of labels after which namespaces are cut.") Integer maxDepth,
        @Nullable @Min(value = 1, message = "must be 1 to 1000") @Max(value = 1000, message = "must be 1 to 1000") @Schema(defaultValue = "100") Integer limit,
        @Nullable @Min(value = 0, message = "must be 0 or more") @Schema(defaultValue = "0") Integer offset) {

    private static final int DEFAULT_LIMIT = 100;

    ItemOperation operation() {
        List<NamespaceMatch> matches = new ArrayList<>();
        if (prefix != null) {
            matches.add(new NamespaceMatch(true, prefix));
        }
        if (suffix != null) {
            matches.add(new NamespaceMatch(false, suffix));
        }
        return new ItemOperation.Namespaces(matches, maxDepth, limit == null ? DEFAULT_LIMIT : limit,
                offset == null ? 0 : offset);
    }
}
