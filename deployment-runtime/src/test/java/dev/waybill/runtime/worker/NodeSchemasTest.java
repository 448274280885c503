package dev.waybill.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.application.Application;
import dev.waybill.common.application.ApplicationFile;
import dev.waybill.common.testing.NodeProject;
import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.RuntimeSettings;
import dev.waybill.runtime.Settings;
import dev.waybill.runtime.worker.RunSink.Outcome;

/** Schemas that the Node worker reports for graphs of LangGraph.js. */
class NodeSchemasTest {

    @Test
    void zodStateHasSchemaAndOthersHaveNames() throws Exception {
        // Given
        NodeProject node = RuntimeSettings.node();
        node.install();
        Path directory = Files.createDirectories(node.work().resolve("schemas"));
        Files.writeString(directory.resolve("agent.mjs"), """
                import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
                import { z } from "zod";

                const make = (state) => new StateGraph(state).addNode("a", () => ({})).addEdge(START, "a").addEdge("a", END);
                export const typed = make(z.object({ question: z.string(), depth: z.number().optional() })).compile();
                export const named = make(Annotation.Root({ question: Annotation() }));
                export async function* generator() {}
                """);
        Files.writeString(directory.resolve("langgraph.json"),
                """
                        {"graphs": {"typed": "./agent.mjs:typed", "named": "./agent.mjs:named", "generator": "./agent.mjs:generator"}}""");
        Application application = ApplicationFile.read(directory, "langgraph.json");
        Shims shims = new Shims(application);
        Workers workers = new Workers(application, Settings.of(WorkerConfig.class, Map.of()), shims);
        try {
            // When
            workers.begin(null);
            Patience.await().until(() -> workers.unready().isEmpty());

            // Then
            assertThat(schemas(workers, "typed").at("/input_schema/properties/question/type").textValue()).isEqualTo("string");
            assertThat(schemas(workers, "typed").at("/state_schema/required/0").textValue()).isEqualTo("question");
            assertThat(schemas(workers, "named").at("/output_schema/properties").fieldNames()).toIterable()
                    .containsExactly("question");
            assertThat(schemas(workers, "generator")).isEmpty();
            assertThat(values(workers, "")).isEqualTo("{\"question\":\"why\"}");
            assertThat(values(workers, ", \"values\": false")).isEqualTo("null");
        } finally {
            workers.stop();
            shims.clean();
        }
    }

    /** Returns the final values of a run. */
    private static String values(Workers workers, String more) throws Exception {
        CompletableFuture<Outcome> end = new CompletableFuture<>();
        workers.start(UUID.randomUUID(), "named", (ObjectNode) new ObjectMapper().readTree(
                "{\"input\": {\"question\": \"why\"}, \"stream_modes\": [\"updates\"]" + more + "}"), new RunSink() {

                    @Override
                    public void event(String mode, String namespace, byte[] json, int cost) {
                        // Events are tested elsewhere.
                    }

                    @Override
                    public void ended(Outcome outcome) {
                        end.complete(outcome);
                    }
                });
        return ((Outcome.Completed) end.get(2, TimeUnit.MINUTES)).values().toString();
    }

    private static JsonNode schemas(Workers workers, String graph) {
        return workers.description(graph).orElseThrow().path("schemas");
    }
}
