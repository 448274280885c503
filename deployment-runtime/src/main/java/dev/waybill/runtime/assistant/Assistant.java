package dev.waybill.runtime.assistant;

import java.util.UUID;

import dev.waybill.runtime.storage.AssistantStorage.StoredAssistant;

/**
 * The assistant of a run.
 *
 * @param graphId id of the graph that the run executes
 */
public record Assistant(UUID id, String graphId) {

    /** Returns the identity of an assistant. */
    public static Assistant of(StoredAssistant assistant) {
        return new Assistant(assistant.id(), assistant.settings().graph());
    }
}
