package dev.waybill.bench.streams;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.waybill.local.node.NodePrograms;
import dev.waybill.local.runtime.HttpProbe;
import dev.waybill.local.stack.CpuTime;
import dev.waybill.local.storage.ChildProcess;
import dev.waybill.local.storage.FreePort;

/** The public development server of LangGraph.js with the sample's graph, installed from npm with a lock file. */
final class DevServer implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(120);
    private static final int INSTALL_SECONDS = 600;
    /** Disables tracing and analytics. */
    private static final Map<String, String> ENVIRONMENT = Map.of("LANGSMITH_TRACING", "false", "LANGGRAPH_CLI_NO_ANALYTICS",
            "1");

    private final ChildProcess process;
    private final URI address;

    private DevServer(ChildProcess process, URI address) {
        this.process = process;
        this.address = address;
    }

    /** Returns the folder with the graph and its packages, which the runtime serves, too. */
    static Path install(StreamBenchmarkContext bench) {
        Path folder = bench.folder().resolve("langgraph-js").toAbsolutePath();
        Path sample = bench.root().resolve("deployment-runtime/samples/langgraph-js");
        try {
            new NodePrograms(bench.root().resolve("benchmarks/src/main/resources/bench/langgraph-js"), folder, INSTALL_SECONDS)
                    .install();
            for (String name : List.of("agent.mjs", "langgraph.json")) {
                Files.copy(sample.resolve(name), folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        return folder;
    }

    /** @param jobs maximum number of concurrent runs */
    static DevServer start(StreamBenchmarkContext bench, Path folder, int jobs) {
        int port = FreePort.find();
        List<String> command = List.of("node", folder.resolve("node_modules/.bin/langgraphjs").toString(), "dev",
                "--no-browser",
                "--host", "127.0.0.1", "--port", Integer.toString(port), "--n-jobs-per-worker", Integer.toString(jobs),
                "--config", folder.resolve("langgraph.json").toString());
        DevServer server = new DevServer(ChildProcess.start(command, ENVIRONMENT, bench.log("dev-server"), false),
                URI.create("http://127.0.0.1:" + port));
        server.awaitReady();
        return server;
    }

    URI address() {
        return address;
    }

    /** Returns the CPU-seconds of all its processes. */
    double cpu() {
        return ProcessHandle.of(process.pid()).stream()
                .flatMap(top -> Stream.concat(Stream.of(top), top.descendants()))
                .mapToDouble(handle -> CpuTime.of(handle.pid())).sum();
    }

    @Override
    public void close() {
        List<ProcessHandle> descendants = ProcessHandle.of(process.pid()).stream().flatMap(ProcessHandle::descendants).toList();
        process.close();
        descendants.forEach(ProcessHandle::destroyForcibly);
    }

    private void awaitReady() {
        if (!HttpProbe.awaitOk(address.resolve("/ok"), process::isAlive, START_TIMEOUT)) {
            close();
            throw new IllegalStateException("the development server did not become ready");
        }
    }
}
