package dev.waybill.runtime.assistant;

import java.util.List;
import java.util.Map;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Which assistants to find: those that have all that is named. Body of {@code POST /assistants/search} and {@code count}. */
record SearchAssistantsRequest(
        @Nullable @Schema(description = "The graph's id.") String graphId,
        @Nullable @Schema(description = "A part of the name, in any letter case.") String name,
        @Nullable @Schema(description = "Members that the assistant's metadata must have.") Map<String, Object> metadata,
        @Nullable @Min(value = 1, message = "must be 1 to 1000") @Max(value = 1000, message = "must be 1 to 1000") @Schema(defaultValue = "10") Integer limit,
        @Nullable @Min(value = 0, message = "must be 0 or more") @Schema(defaultValue = "0") Integer offset) {

    private static final int DEFAULT_LIMIT = 10;

    List<AssistantResponse> of(List<Assistant> assistants) {
        return assistants.stream().map(AssistantResponse::from).filter(this::fits).toList();
    }

    List<AssistantResponse> page(List<AssistantResponse> found) {
        return found.stream().skip(offset == null ? 0 : offset).limit(limit == null ? DEFAULT_LIMIT : limit).toList();
    }

    private boolean fits(AssistantResponse assistant) {
        return (graphId == null || assistant.graphId().equals(graphId))
                && (name == null || assistant.name().toLowerCase(java.util.Locale.ROOT)
                        .contains(name.toLowerCase(java.util.Locale.ROOT)))
                && (metadata == null || assistant.metadata().entrySet().containsAll(metadata.entrySet()));
    }
}
