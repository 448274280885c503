package dev.waybill.runtime.assistant;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** Rules of the settings of assistants: the graph exists, and runs can merge the configuration. */
final class AssistantValidators {

    private AssistantValidators() {
    }

    private static List<Violation> violations(AssistantCatalog catalog, @Nullable String graph, @Nullable ObjectNode config) {
        List<Violation> violations = new ArrayList<>();
        if (graph != null && !graph.isBlank() && !catalog.hasGraph(graph)) {
            violations.add(Violation.of("graph_id", "must be a graph of this application: " + catalog.names(), "unknown"));
        }
        JsonNode configurable = config == null ? null : config.get("configurable");
        if (configurable != null && !configurable.isNull() && !configurable.isObject()) {
            violations.add(Violation.of("config.configurable", "must be an object", "invalid"));
        }
        return violations;
    }

    /** Validates a new assistant. */
    @Singleton
    static class ForCreation implements BodyValidator<CreateAssistantRequest> {

        private final AssistantCatalog catalog;

        ForCreation(AssistantCatalog catalog) {
            this.catalog = catalog;
        }

        @Override
        public Class<CreateAssistantRequest> type() {
            return CreateAssistantRequest.class;
        }

        @Override
        public List<Violation> violations(CreateAssistantRequest body, Set<String> invalid) {
            return AssistantValidators.violations(catalog, body.graphId(), body.config());
        }
    }

    /** Validates changes of an assistant. */
    @Singleton
    static class ForUpdate implements BodyValidator<UpdateAssistantRequest> {

        private final AssistantCatalog catalog;

        ForUpdate(AssistantCatalog catalog) {
            this.catalog = catalog;
        }

        @Override
        public Class<UpdateAssistantRequest> type() {
            return UpdateAssistantRequest.class;
        }

        @Override
        public List<Violation> violations(UpdateAssistantRequest body, Set<String> invalid) {
            return AssistantValidators.violations(catalog, body.graphId(), body.config());
        }
    }
}
