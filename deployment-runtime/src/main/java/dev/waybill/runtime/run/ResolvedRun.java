package dev.waybill.runtime.run;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.runtime.assistant.Assistant;
import dev.waybill.runtime.storage.AssistantStorage.Settings;
import dev.waybill.runtime.storage.AssistantStorage.StoredAssistant;
import dev.waybill.runtime.storage.JsonText;

/**
 * A request for a run with its assistant.
 *
 * @param given the request of the client
 * @param body the request with the settings of the assistant
 */
public record ResolvedRun(Assistant assistant, CreateRunRequest given, CreateRunRequest body) {

    private static final String CONFIGURABLE = "configurable";

    /** Returns the run of a graph's assistant, which has no settings. */
    static ResolvedRun ofGraph(StoredAssistant assistant, CreateRunRequest request) {
        return new ResolvedRun(Assistant.of(assistant), request, request);
    }

    /**
     * Returns the run of a stored assistant. Members of the request replace those of the assistant, as in the public server.
     */
    static ResolvedRun of(StoredAssistant assistant, CreateRunRequest request) {
        Settings settings = assistant.settings();
        ObjectNode config = merge(settings.config(), request.config());
        ObjectNode configurable = JsonText.object(settings.config()).withObjectProperty(CONFIGURABLE);
        if (request.config() != null && request.config().get(CONFIGURABLE) instanceof ObjectNode ofRun) {
            configurable.setAll(ofRun);
        }
        config.set(CONFIGURABLE, configurable);
        return new ResolvedRun(Assistant.of(assistant), request, request.with(config,
                merge(settings.context(), request.context()), merge(settings.metadata(), request.metadata())));
    }

    private static ObjectNode merge(String ofAssistant, @Nullable ObjectNode ofRun) {
        ObjectNode merged = JsonText.object(ofAssistant);
        return ofRun == null ? merged : merged.setAll(ofRun);
    }
}
