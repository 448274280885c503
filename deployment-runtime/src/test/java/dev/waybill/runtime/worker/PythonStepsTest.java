package dev.waybill.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.application.ApplicationFile;
import dev.waybill.runtime.Settings;
import dev.waybill.runtime.protocol.Message.Step;
import dev.waybill.runtime.worker.RunSink.Outcome;

/**
 * The Python shim with callbacks of LangChain, simulated by a module that calls them as LangChain does, because the tests
 * install
 * no Python packages.
 */
class PythonStepsTest {

    private static final String AGENT = """
            import uuid

            class Usage:
                usage_metadata = {"input_tokens": 2, "output_tokens": 3, "total_tokens": 5}
                text = "hello"

                def model_dump(self):
                    return {"content": "hello"}

            class Generation:
                text = "hello"
                message = Usage()

            class Response:
                generations = [[Generation()]]

            class Graph:
                async def astream(self, given, config, stream_mode, subgraphs):
                    handler = config["callbacks"][0]
                    root, node, own, model, tool = config["run_id"], *(uuid.uuid4() for _ in range(4))
                    handler.on_chain_start(None, given, run_id=root, parent_run_id=None, tags=[], metadata={}, name="LangGraph")
                    handler.on_chain_start(None, given, run_id=node, parent_run_id=root, tags=["graph:step:1"],
                                        metadata={"langgraph_node": "answer"}, name="answer")
                    handler.on_chain_start(None, given, run_id=own, parent_run_id=node, tags=["langsmith:hidden"], name="write")
                    handler.on_chat_model_start({"id": ["a", "Model"]}, [[Usage()]], run_id=model, parent_run_id=own,
                                             metadata={"ls_provider": "none"}, name=None)
                    handler.on_llm_new_token("h", run_id=model)
                    handler.on_llm_end(Response(), run_id=model)
                    handler.on_tool_start({"name": "search"}, "query", run_id=tool, parent_run_id=node, inputs={"q": "x" * 3000})
                    handler.on_tool_error(ValueError("nothing found"), run_id=tool)
                    handler.on_chain_end({}, run_id=own)
                    handler.on_chain_end({"messages": [Usage()]}, run_id=node)
                    yield "values", {"messages": []}
                    handler.on_chain_end({}, run_id=root)

            graph = Graph()
            """;

    @Test
    void nodesModelsAndToolsAreReported(@TempDir Path directory) throws Exception {
        // When
        List<Step> steps = run(directory, AGENT);

        // Then
        assertThat(steps).extracting(Step::name).containsExactly("answer", "Model", null, "search", null, null);
        Step answer = steps.get(0);
        Step model = steps.get(1);
        Step search = steps.get(3);
        assertThat(answer.parent()).isNull();
        assertThat(model.parent()).isEqualTo(answer.id());
        assertThat(search.parent()).isEqualTo(answer.id());
        assertThat(steps).extracting(Step::runType).containsExactly("chain", "llm", null, "tool", null, null);
        assertThat(text(model.inputs())).isEqualTo("{\"messages\": [{\"content\": \"hello\"}]}");
        assertThat(text(steps.get(2).outputs())).isEqualTo("{\"messages\": [{\"content\": \"hello\"}]}");
        assertThat(text(steps.get(2).metadata())).contains("\"total_tokens\": 5").contains("ls_provider");
        assertThat(steps.get(2).times().firstToken()).isNotNull();
        // More than the remaining size.
        assertThat(text(search.inputs())).matches("\\{\"omitted_bytes\": 3\\d{3}}");
        assertThat(steps.get(4).error()).isEqualTo("ValueError: nothing found");
        assertThat(steps.get(5).id()).isEqualTo(answer.id());
        assertThat(steps.get(5).times().end()).isNotNull();
    }

    /** A run with many steps or a long error stays within its step limit. */
    @Test
    void excessStepsAreOmittedAndLongErrorsCut(@TempDir Path directory) throws Exception {
        List<Step> steps = run(directory, """
                import uuid

                class Graph:
                    async def astream(self, given, config, stream_mode, subgraphs):
                        handler = config["callbacks"][0]
                        tool = uuid.uuid4()
                        handler.on_tool_start({"name": "tool"}, "query", run_id=tool, parent_run_id=config["run_id"])
                        handler.on_tool_error(ValueError("x" * 1000000), run_id=tool)
                        for i in range(100):
                            step = uuid.uuid4()
                            handler.on_chain_start(None, {}, run_id=step, parent_run_id=config["run_id"], name="step")
                            handler.on_chain_end({}, run_id=step)
                        yield "values", {"messages": []}

                graph = Graph()
                """);

        assertThat(steps).filteredOn(step -> step.error() != null).singleElement()
                .satisfies(step -> assertThat(step.cost()).isBetween(2_000, 2_400));
        assertThat(steps).hasSizeLessThan(10);
        assertThat(steps.stream().filter(step -> step.times().start() != null).map(Step::id)).containsExactlyElementsOf(
                steps.stream().filter(step -> step.times().end() != null).map(Step::id).toList());
    }

    private static List<Step> run(Path directory, String agent) throws Exception {
        Path library = Files.createDirectories(directory.resolve("langchain_core"));
        Files.writeString(library.resolve("__init__.py"), "");
        Files.writeString(library.resolve("callbacks.py"), "class BaseCallbackHandler:\n    pass\n");
        Files.writeString(directory.resolve("agent.py"), agent);
        Files.writeString(directory.resolve("langgraph.json"),
                "{\"dependencies\": [\".\"], \"graphs\": {\"agent\": \"./agent.py:graph\"}}");
        var application = ApplicationFile.read(directory, "langgraph.json");
        Shims shims = new Shims(application);
        Workers workers = new Workers(application, Settings.of(WorkerConfig.class, Map.of()), shims);
        workers.begin(null);
        try {
            RecordingSink sink = new RecordingSink();
            ObjectNode request = JsonNodeFactory.instance.objectNode();
            request.set("input", new ObjectMapper().readTree("{\"messages\": []}"));
            request.putArray("stream_modes").add("values");
            request.put("steps", 2_500);
            workers.start(UUID.randomUUID(), "agent", request, sink);
            assertThat(sink.ended.get(2, TimeUnit.MINUTES)).isInstanceOf(Outcome.Completed.class);
            return sink.steps;
        } finally {
            workers.stop();
            shims.clean();
        }
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }

    private static final class RecordingSink implements RunSink {

        private final List<Step> steps = Collections.synchronizedList(new ArrayList<>());
        private final CompletableFuture<Outcome> ended = new CompletableFuture<>();

        @Override
        public void event(String mode, String namespace, byte[] json, int cost) {
            // Events are ignored.
        }

        @Override
        public void step(Step step) {
            steps.add(step);
        }

        @Override
        public void ended(Outcome outcome) {
            ended.complete(outcome);
        }
    }
}
