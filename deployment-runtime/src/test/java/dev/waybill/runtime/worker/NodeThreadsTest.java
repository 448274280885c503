package dev.waybill.runtime.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.NodeProject;
import dev.waybill.runtime.RuntimeSettings;

/**
 * Version 2 of the protocol of the Node worker with graphs of LangGraph.js. The tests are programs for Node's test runner: they
 * start workers and store their threads in memory.
 */
class NodeThreadsTest {

    private static final Path MODULE = Path.of(System.getProperty("waybill.root"), "deployment-runtime");

    @Test
    void workerStoresThreadsWithTheRuntime() throws Exception {
        run("memory");
    }

    @Test
    void workerSerializesLikeLangGraph() throws Exception {
        run("values");
    }

    @ParameterizedTest
    @Tag("full")
    @ValueSource(strings = { "protocol", "cancellation", "subgraphs" })
    void workerKeepsToTheProtocolAndStoresSubgraphs(String program) throws Exception {
        run(program);
    }

    private static void run(String program) throws Exception {
        NodeProject node = RuntimeSettings.node();
        node.install();
        copyPrograms(node);

        node.run("threads/" + program + ".test.mjs", MODULE.resolve("src/main/resources/shims/worker.mjs").toString());
    }

    private static void copyPrograms(NodeProject node) throws IOException {
        Path folder = Files.createDirectories(node.work().resolve("threads"));
        for (String name : List.of("agents.mjs", "answers.mjs", "graphs.mjs", "host.mjs", "random.mjs", "storage.mjs")) {
            Files.copy(node.sources().resolve("threads").resolve(name), folder.resolve(name),
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
