package dev.waybill.runtime.assistant;

import java.util.List;
import java.util.Locale;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.storage.AssistantStorage.AssistantFilter;
import dev.waybill.runtime.storage.AssistantStorage.AssistantOrder;
import dev.waybill.runtime.storage.NoZeroCharacter;
import dev.waybill.runtime.storage.ValidFilter;

/** Filter for assistants, which must match all given members. Body of {@code POST /assistants/search} and {@code count}. */
record SearchAssistantsRequest(
        @Nullable @NoZeroCharacter @Schema(description = "Id of the graph.") String graphId,
        @Nullable @NoZeroCharacter @Schema(description = "Part of the name; case-insensitive.") String name,
        @Nullable @ValidFilter @Schema(implementation = Object.class, description = "Members that the assistant's metadata must contain.") ObjectNode metadata,
        @Nullable @Min(value = 1, message = "must be 1 to 1000") @Max(value = 1000, message = "must be 1 to 1000") @Schema(defaultValue = "10") Integer limit,
        @Nullable @Min(value = 0, message = "must be 0 or more") @Schema(defaultValue = "0") Integer offset,
        @Nullable @Pattern(regexp = "assistant_id|graph_id|name|created_at|updated_at", message = "must be assistant_id, graph_id, name, created_at or updated_at") @Schema(defaultValue = "created_at") String sortBy,
        @Nullable @Pattern(regexp = "asc|desc", message = "must be asc or desc") @Schema(defaultValue = "desc") String sortOrder,
        @Nullable @Schema(description = "Members of the assistants to return; default: all.") List<Member> select) {

    private static final int DEFAULT_LIMIT = 10;

    AssistantFilter filter() {
        return new AssistantFilter(graphId, name, AssistantService.textOrNull(metadata),
                sortBy == null ? AssistantOrder.CREATED_AT : AssistantOrder.valueOf(sortBy.toUpperCase(Locale.ROOT)),
                "asc".equals(sortOrder), limit == null ? DEFAULT_LIMIT : limit, skipped());
    }

    /** Returns the number of assistants before the page. */
    int skipped() {
        return offset == null ? 0 : offset;
    }

    /** Returns the names of the members to return; empty for all. */
    List<String> selected() {
        return select == null ? List.of() : select.stream().map(Member::toString).toList();
    }

    /** Members of an assistant. */
    @Schema(name = "AssistantMember", enumeration = { "assistant_id", "graph_id", "name", "description", "config", "context",
            "metadata", "version", "created_at", "updated_at" })
    enum Member {
        ASSISTANT_ID,
        GRAPH_ID,
        NAME,
        DESCRIPTION,
        CONFIG,
        CONTEXT,
        METADATA,
        VERSION,
        CREATED_AT,
        UPDATED_AT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
