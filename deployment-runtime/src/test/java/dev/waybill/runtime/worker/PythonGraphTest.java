package dev.waybill.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.application.Application;
import dev.waybill.common.application.ApplicationFile;
import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Settings;
import dev.waybill.runtime.worker.RunSink.Outcome;
import dev.waybill.runtime.worker.Workers.RunHandle;

/**
 * The Python worker with a LangGraph graph. LangGraph is not available to the tests; a stub implements the part of its API that
 * the
 * worker uses (src/test/python).
 */
class PythonGraphTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static Shims shims;
    private static Workers workers;

    @BeforeAll
    static void start() {
        Application application = ApplicationFile.read(
                Path.of(System.getProperty("waybill.root"), "deployment-runtime/src/test/python"), "langgraph.json");
        shims = new Shims(application);
        workers = new Workers(application, Settings.of(WorkerConfig.class, Map.of()), shims);
        workers.begin(null);
    }

    @AfterAll
    static void stop() throws Exception {
        workers.stop();
        shims.clean();
    }

    @ParameterizedTest
    @ValueSource(strings = { "compiled", "builder", "made" })
    void allModesAreForwardedWithSubgraphNamespaces(String graph) throws Exception {
        Collected run = start(graph, """
                {"input": "hi", "stream_modes": ["values", "updates", "messages", "custom", "tasks", "debug"],
                 "stream_subgraphs": true, "metadata": {"m": 1}, "context": {"c": 2},
                 "config": {"tags": ["t"], "configurable": {"tenant": "x"}}}""");

        assertThat(run.outcome()).isInstanceOfSatisfying(Outcome.Completed.class, completed -> {
            assertThat(completed.values().at("/input").textValue()).isEqualTo("hi");
            assertThat(completed.values().at("/tenant").textValue()).isEqualTo("x");
            assertThat(completed.values().at("/tags/0").textValue()).isEqualTo("t");
            assertThat(completed.values().at("/context/c").intValue()).isEqualTo(2);
            assertThat(completed.values().at("/metadata/m").intValue()).isEqualTo(1);
            assertThat(completed.values().at("/run").textValue()).isEqualTo(run.id.toString());
            assertThat(completed.values().at("/done").booleanValue()).isTrue();
        });
        assertThat(run.events).extracting(event -> event.split(" ")[0]).containsExactly("values", "updates|outer:1|inner:2",
                "messages", "custom", "tasks", "debug", "updates", "values|outer:1", "values");
        assertThat(run.events.get(2)).contains("\"type\": \"AIMessageChunk\"", "\"content\": \"hel\"", "langgraph_node");
        assertThat(run.events.get(6)).contains("{\"value\": \"sure?\", \"id\": \"i1\"}");
    }

    @Test
    void unneededValuesAreNotRequestedFromGraph() throws Exception {
        Collected run = start("compiled", "{\"input\": \"hi\", \"stream_modes\": [\"custom\"], \"values\": false}");
        assertThat(run.outcome()).isInstanceOfSatisfying(Outcome.Completed.class,
                completed -> assertThat(completed.values().isNull()).isTrue());
        assertThat(run.events).hasSize(1).first().asString().startsWith("custom ");
    }

    @Test
    void eventsModeStillReturnsFinalValues() throws Exception {
        Collected run = start("compiled", "{\"input\": \"hi\", \"stream_modes\": [\"events\", \"custom\"]}");
        assertThat(run.outcome()).isInstanceOfSatisfying(Outcome.Completed.class,
                completed -> assertThat(completed.values().at("/done").booleanValue()).isTrue());
        assertThat(run.events).filteredOn(event -> event.startsWith("custom ")).hasSize(1);
        assertThat(run.events).filteredOn(event -> event.startsWith("events ")).hasSizeGreaterThan(3)
                .first().asString().contains("on_chain_start");
    }

    @Test
    void commandResumesInterruptedGraph() throws Exception {
        Collected run = start("compiled", "{\"command\": {\"resume\": \"yes\"}, \"stream_modes\": []}");
        assertThat(run.outcome()).isInstanceOfSatisfying(Outcome.Completed.class,
                completed -> assertThat(completed.values().at("/resumed").textValue()).isEqualTo("yes"));
    }

    @Test
    void failureIsReportedAndWaitingGraphIsCancelled() throws Exception {
        Collected waiting = start("compiled", "{\"input\": \"wait\", \"stream_modes\": [\"values\"]}");
        assertThat(start("compiled", "{\"input\": \"fail\", \"stream_modes\": []}").outcome())
                .isEqualTo(new Outcome.Failed("ValueError", "in the graph"));
        waiting.handle.cancel();
        assertThat(waiting.outcome()).isInstanceOf(Outcome.Cancelled.class);
    }

    @ParameterizedTest
    @ValueSource(strings = { "compiled", "builder" })
    void schemasAreReportedByGraph(String graph) {
        Patience.await().until(() -> workers.description(graph).isPresent());
        assertThat(workers.description(graph).orElseThrow().path("schemas").toString())
                .isEqualTo("{\"input_schema\":{\"title\":\"Input\"},\"output_schema\":{\"title\":\"Output\"}}");
    }

    private static Collected start(String graph, String request) throws Exception {
        Collected collected = new Collected();
        collected.handle = workers.start(collected.id, graph, (ObjectNode) MAPPER.readTree(request), collected);
        return collected;
    }

    private static final class Collected implements RunSink {

        private final UUID id = UUID.randomUUID();
        private final List<String> events = Collections.synchronizedList(new ArrayList<>());
        private final CompletableFuture<Outcome> ended = new CompletableFuture<>();
        private RunHandle handle;

        @Override
        public void event(String mode, String namespace, byte[] json, int cost) {
            events.add(mode + namespace + " " + new String(json, StandardCharsets.UTF_8));
        }

        @Override
        public void ended(Outcome outcome) {
            ended.complete(outcome);
        }

        Outcome outcome() throws Exception {
            return ended.get(2, TimeUnit.MINUTES);
        }
    }
}
