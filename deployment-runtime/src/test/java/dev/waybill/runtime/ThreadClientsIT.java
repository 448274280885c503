package dev.waybill.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.NodeProject;

/**
 * Threads of the packaged runtime with clients that people use, and in comparison with the public development server
 * {@code @langchain/langgraph-api}: both serve the same graphs.
 */
@Tag("full")
class ThreadClientsIT {

    private static final Path ROOT = Path.of(System.getProperty("waybill.root"));
    private static final Path MODULE = ROOT.resolve("deployment-runtime");
    private static final Path DIFFERENCES = ROOT.resolve("docs/threads-differences.md");
    private static final NodeProject NODE = new NodeProject(MODULE.resolve("src/test/node/compare"),
            MODULE.resolve("target/compare"));
    private static final String PAGE = """
            # Threads: differences from the public development server

            The test `ThreadClientsIT` makes %d calls with the LangGraph SDK of npm to the runtime and to the public development
            server (`@langchain/langgraph-api` %s, in memory), which serve the same graphs, and compares the responses: members,
            values, order of lists and events, status of failures. Ids and times are not compared; `null` and an absent member
            count as equal.

            The responses are equal except for these accepted differences. The test generates this page
            (`-Dcompare.update=true` after an intended change) and fails on any other difference. A cell has at most two
            examples.

            %s
            """;

    @TempDir
    Path directory;

    @Test
    void answersDifferFromThePublicServerOnlyAsDocumented() throws Exception {
        // Given
        installGraphs();
        Path log = directory.resolve("public.log");
        Process other = new ProcessBuilder("node", "server.mjs", NODE.work().toString()).directory(NODE.work().toFile())
                .redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try (RuntimeProcess runtime = startRuntime()) {
            String ours = runtime.awaitReady().toString();
            String theirs = "http://127.0.0.1:" + RuntimeProcess.awaitPort(log);

            // When
            JsonNode result = new ObjectMapper().readTree(NODE.run("compare.mjs", ours, theirs));

            // Then
            assertThat(result.get("unaccepted")).as("differences that are not accepted").isEmpty();
            assertThat(result.get("unused")).as("accepted differences that do not exist").isEmpty();
            assertThatPageIsCurrent(PAGE.formatted(result.get("cases").intValue(), version(), result.get("table").textValue()));
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void reactHookChatsAnswersAndBranches() throws Exception {
        // Given
        installGraphs();
        try (RuntimeProcess runtime = startRuntime()) {
            String address = runtime.awaitReady().toString();

            // When
            JsonNode result = new ObjectMapper().readTree(NODE.run("react.mjs", address));

            // Then
            assertThat(texts(result.at("/chat/shown"))).containsExactly("one", "1: one", "two", "3: two");
            assertThat(texts(result.at("/edited/shown"))).containsExactly("one", "1: one", "three", "3: three");
            assertThat(result.at("/edited/branches").intValue()).isEqualTo(2);
            assertThat(texts(result.get("switched"))).containsExactly("one", "1: one", "two", "3: two");
            assertThat(result.at("/interrupt/value/question").textValue()).isEqualTo("ask?");
            assertThat(texts(result.at("/interrupt/shown"))).containsExactly("hello");
            assertThat(texts(result.at("/resumed/shown"))).containsExactly("hello", "sent after 1");
            assertThat(texts(result.at("/resumed/log"))).containsExactly("ask \"yes\"", "sent");
            assertThat(result.get("errors")).isEmpty();
        }
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::textValue).toList();
    }

    private static void assertThatPageIsCurrent(String page) throws IOException {
        if (Boolean.getBoolean("compare.update")) {
            Files.writeString(DIFFERENCES, page);
        }
        assertThat(DIFFERENCES).as("run the test with -Dcompare.update=true if the change is intended").hasContent(page);
    }

    private static String version() throws IOException {
        return new ObjectMapper().readTree(NODE.sources().resolve("package.json").toFile())
                .at("/dependencies/@langchain~1langgraph-api").textValue();
    }

    private RuntimeProcess startRuntime() throws IOException {
        return RuntimeProcess.start(NODE.work(), directory.resolve("threads"), directory.resolve("runtime.log"));
    }

    /** Installs the packages and copies the graphs and programs beside them. */
    private static void installGraphs() throws IOException, InterruptedException {
        NODE.install();
        try (Stream<Path> files = Files.list(NODE.sources())) {
            for (Path file : files.filter(file -> file.toString().endsWith(".mjs")).toList()) {
                Files.copy(file, NODE.work().resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.copy(NODE.sources().resolve("langgraph.json"), NODE.work().resolve("langgraph.json"),
                StandardCopyOption.REPLACE_EXISTING);
        // Threads of earlier tests.
        for (String name : List.of(".langgraph_api/.langgraphjs_ops.json", ".langgraph_api/.langgraphjs_api.checkpointer.json",
                ".langgraph_api/.langgraphjs_api.store.json")) {
            Files.deleteIfExists(NODE.work().resolve(name));
        }
    }
}
