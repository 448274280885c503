package dev.waybill.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.NodeProject;

/**
 * The packaged runtime and the public development server {@code @langchain/langgraph-api}, which serve the same graphs
 * (src/test/node/compare).
 */
public final class ComparedServers implements AutoCloseable {

    private static final Path ROOT = Path.of(System.getProperty("waybill.root"));
    private static final Path MODULE = ROOT.resolve("deployment-runtime");
    private static final NodeProject NODE = new NodeProject(MODULE.resolve("src/test/node/compare"),
            MODULE.resolve("target/compare"));

    private final RuntimeProcess runtime;
    private final Process other;
    private final Path log;

    private ComparedServers(RuntimeProcess runtime, Process other, Path log) {
        this.runtime = runtime;
        this.other = other;
        this.log = log;
    }

    /** Starts both servers without threads of earlier tests; the directory is for their logs and the runtime's threads. */
    public static ComparedServers start(Path directory) throws IOException, InterruptedException {
        installGraphs();
        Path log = directory.resolve("public.log");
        Process other = new ProcessBuilder("node", "server.mjs", NODE.work().toString()).directory(NODE.work().toFile())
                .redirectErrorStream(true).redirectOutput(log.toFile()).start();
        return new ComparedServers(startRuntime(directory), other, log);
    }

    /** Starts the runtime only; {@link #installGraphs} must have been called. */
    static RuntimeProcess startRuntime(Path directory) throws IOException {
        return RuntimeProcess.start(NODE.work(), directory.resolve("threads"), directory.resolve("runtime.log"));
    }

    /** Returns the address of the runtime when it is ready. */
    public String runtime() {
        return runtime.awaitReady().toString();
    }

    /** Returns the address of the public server when it is ready. */
    public String publicServer() {
        return "http://127.0.0.1:" + RuntimeProcess.awaitPort(log);
    }

    /** Runs a program of the comparison; returns the JSON that it prints. */
    public static JsonNode run(String program, String... arguments) throws IOException, InterruptedException {
        return new ObjectMapper().readTree(NODE.run(program, arguments));
    }

    /** Asserts that a page of accepted differences, formatted with their number of calls, version and table, is current. */
    public static void assertThatPageIsCurrent(String name, String page, JsonNode result) throws IOException {
        Path file = ROOT.resolve("docs").resolve(name);
        String current = page.formatted(result.get("cases").intValue(), version(), result.get("table").textValue());
        if (Boolean.getBoolean("compare.update")) {
            Files.writeString(file, current);
        }
        assertThat(file).as("run the test with -Dcompare.update=true if the change is intended").hasContent(current);
    }

    private static String version() throws IOException {
        return new ObjectMapper().readTree(NODE.sources().resolve("package.json").toFile())
                .at("/dependencies/@langchain~1langgraph-api").textValue();
    }

    /** Installs the packages and copies the graphs and programs beside them. */
    static void installGraphs() throws IOException, InterruptedException {
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

    @Override
    public void close() {
        other.destroyForcibly();
        runtime.close();
    }
}
