package dev.waybill.local.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import dev.waybill.local.storage.ChildProcess;
import dev.waybill.local.storage.FreePort;
import dev.waybill.local.storage.Wait;

/** A process of the packaged deployment-runtime that serves a directory with a {@code langgraph.json}, with 256 MiB of heap. */
public final class RuntimeProcess implements AutoCloseable {

    /** JVM options, which benchmarks also use for the servers that they compare. */
    public static final List<String> JVM = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError");

    /** The property of the port; without it the process uses a free port. */
    public static final String PORT = "quarkus.http.port";

    private static final String MANAGEMENT_PORT = "quarkus.management.port";
    private static final String MODULE = "deployment-runtime";
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(300);

    private final ChildProcess process;
    private final URI address;
    private final URI management;
    private final Path log;

    private RuntimeProcess(ChildProcess process, URI address, URI management, Path log) {
        this.process = process;
        this.address = address;
        this.management = management;
        this.log = log;
    }

    /**
     * Starts a process and returns when it and its worker are ready.
     *
     * @param root the root of the project
     * @param application the directory with the {@code langgraph.json}
     * @param log receives the output, appended
     * @param jvm options in addition to {@link #JVM}
     * @param properties configuration
     */
    public static RuntimeProcess start(Path root, Path application, Path log, List<String> jvm,
            Map<String, String> properties) {
        Program program = Program.of(root, MODULE);
        if (!program.exists()) {
            throw new IllegalStateException("deployment-runtime is not built: " + program.file() + " is missing");
        }
        String port = properties.getOrDefault(PORT, Integer.toString(FreePort.find()));
        List<String> options = new ArrayList<>(JVM);
        options.addAll(jvm);
        options.add("-Dwaybill.runtime.directory=" + application.toAbsolutePath());
        properties.forEach((name, value) -> options.add("-D" + name + "=" + value));
        options.add("-D" + PORT + "=" + port);
        int managementPort = FreePort.find();
        options.add("-D" + MANAGEMENT_PORT + "=" + managementPort);
        RuntimeProcess runtime = new RuntimeProcess(ChildProcess.start(program.command(options), Map.of(), log, false),
                URI.create("http://127.0.0.1:" + port), URI.create("http://127.0.0.1:" + managementPort), log);
        runtime.awaitReady();
        return runtime;
    }

    /** Returns the runtime's jar in the project in {@code root}. */
    public static Path program(Path root) {
        return Program.jar(root, MODULE);
    }

    /** Returns the path of this JVM's {@code java}. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    public URI address() {
        return address;
    }

    public long pid() {
        return process.pid();
    }

    /** Returns the process ids of the workers. */
    public List<Long> workers() {
        return ProcessHandle.of(pid()).stream().flatMap(ProcessHandle::children).map(ProcessHandle::pid).toList();
    }

    /** Waits until no run is in progress or queued. */
    public void awaitIdle(Duration timeout) {
        Pattern none = Pattern.compile("^waybill_runtime_runs_active(\\{.*})? 0(\\.0)?$", Pattern.MULTILINE);
        HttpRequest request = HttpRequest.newBuilder(management.resolve("/q/metrics")).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            Wait.until(() -> none.matcher(body(client, request)).find(), Duration.ofMillis(100), timeout,
                    () -> "runs are still in progress after " + timeout);
        }
    }

    private static String body(HttpClient client, HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Sends SIGKILL. */
    public void kill() {
        process.kill();
    }

    /** Stops the process with SIGTERM, as Kubernetes does. */
    @Override
    public void close() {
        process.close();
    }

    private void awaitReady() {
        if (!HttpProbe.awaitOk(address.resolve("/q/health/ready"), this::isAlive, READY_TIMEOUT)) {
            close();
            throw new IllegalStateException("deployment-runtime is not ready; see " + log);
        }
    }
}
