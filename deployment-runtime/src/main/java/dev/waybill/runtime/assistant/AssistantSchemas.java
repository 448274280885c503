package dev.waybill.runtime.assistant;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.worker.Workers;

/** Returns the schemas that workers report for their graphs. */
@Singleton
class AssistantSchemas {

    private final Workers workers;

    AssistantSchemas(Workers workers) {
        this.workers = workers;
    }

    AssistantSchemasResponse of(Assistant assistant) {
        JsonNode description = workers.description(assistant.graphId())
                .orElseThrow(() -> new ProblemException(CommonProblem.UNAVAILABLE,
                        "The assistant's worker, which reports the schemas, is not ready yet; retry in a moment."));
        return AssistantSchemasResponse.of(assistant.graphId(), description.path("schemas"));
    }
}
