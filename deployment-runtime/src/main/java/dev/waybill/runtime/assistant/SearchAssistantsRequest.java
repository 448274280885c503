package dev.waybill.runtime.assistant;

import java.util.List;
import java.util.Map;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Filter for assistants, which must match all given members. Body of {@code POST /assistants/search} and {@code count}. */
record SearchAssistantsRequest(
        @Nullable @Schema(description = "Id of the graph.") String graphId,
        @Nullable @Schema(description = "Part of the name; case-insensitive.") String name,
        @Nullable @Schema(description = "Members that the assistant's metadata must have.") Map<String, Object> metadata,
        @Nullable @Min(value = 1, message = "must be 1 to 1000") @Max(value = 1000, message = "must be 1 to 1000") @Schema(defaultValue = "10") Integer limit,
        @Nullable @Min(value = 0, message = "must be 0 or more") @Schema(defaultValue = "0") Integer offset) {

    private static final int DEFAULT_LIMIT = 10;

    List<AssistantResponse> of(List<Assistant> assistants) {
        return assistants.stream().map(AssistantResponse::from).filter(this::matches).toList();
    }

    List<AssistantResponse> page(List<AssistantResponse> found) {
        return found.stream().skip(offset == null ? 0 : offset).limit(limit == null ? DEFAULT_LIMIT : limit).toList();
    }

    private boolean matches(AssistantResponse assistant) {
        return (graphId == null || assistant.graphId().equals(graphId))
                && (name == null || assistant.name().toLowerCase(java.util.Locale.ROOT)
                        .contains(name.toLowerCase(java.util.Locale.ROOT)))
                && (metadata == null || assistant.metadata().entrySet().containsAll(metadata.entrySet()));
    }
}
