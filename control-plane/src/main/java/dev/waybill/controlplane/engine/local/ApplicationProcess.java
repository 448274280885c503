package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ResourceSpec;
import dev.waybill.controlplane.engine.ThreadSettings;
import dev.waybill.controlplane.engine.local.ApplicationBuild.BuiltApplication;

/**
 * Finds, starts, checks and stops the process of one revision. An existing process is searched for before one is started, so
 * there is never a second one.
 */
final class ApplicationProcess {

    private static final Duration HEALTH_CHECK_TIMEOUT = Duration.ofSeconds(3);
    private static final int MAX_POLLS = 1_000;
    private static final int POLL_INTERVAL_MILLIS = 5;
    private static final String PROCESS = "process";

    private final Path folder;
    private final LocalEngineConfig config;
    private final ProcessLauncher launcher;
    private final PortAllocator ports;
    private final HttpClient client;
    private final ApplicationOutput output;

    ApplicationProcess(Path folder, LocalEngineConfig config, ProcessLauncher launcher, PortAllocator ports,
            HttpClient client) {
        this.ports = ports;
        this.folder = folder;
        this.output = new ApplicationOutput(folder);
        this.config = config;
        this.launcher = launcher;
        this.client = client;
    }

    /**
     * Returns the revision's process. Scans all processes of the machine only if the recorded pid is missing or belongs to
     * another process.
     */
    Optional<ProcessHandle> process() {
        Optional<ProcessHandle> recorded = recorded();
        if (recorded.isPresent()) {
            return recorded;
        }
        Optional<ProcessHandle> found = ProcessFinder.program(folder, marker());
        found.ifPresent(this::record);
        return found;
    }

    private Optional<ProcessHandle> recorded() {
        try {
            return EnginePaths.read(folder.resolve(PROCESS))
                    .filter(pid -> pid.matches("[0-9]{1,10}"))
                    .flatMap(pid -> ProcessFinder.program(Long.parseLong(pid), folder, marker()));
        } catch (ClosedByInterruptException e) {
            throw new UncheckedIOException(e);
        } catch (IOException _) {
            // An unreadable file counts as missing.
            return Optional.empty();
        }
    }

    private void record(ProcessHandle process) {
        try {
            EnginePaths.write(folder.resolve(PROCESS), Long.toString(process.pid()));
        } catch (IOException _) {
            // The file only speeds up finding the process.
        }
    }

    /**
     * Returns the argument that distinguishes the application's process from its child processes; ASCII, so it survives any
     * encoding.
     */
    private String marker() {
        return "-Dwaybill.application=" + folder.getFileName();
    }

    Optional<Integer> port() throws IOException {
        return PortAllocator.of(folder);
    }

    /** Returns the running process, or starts one on a free port. */
    ProcessHandle start(RevisionSpec plan, BuiltApplication prepared) throws IOException, InterruptedException {
        Optional<ProcessHandle> running = process();
        if (running.isPresent()) {
            return running.get();
        }
        // Child processes of an earlier process may still run.
        ProcessFinder.kill(folder);
        int port = ports.allocate(folder);
        output.begin();
        ProcessLimits limits = ProcessLimits.of(plan.resources(), config.maxHeap().asLongValue());
        List<String> command = launcher.withLimits(
                List.of(launcher.java(), marker(), "-Xmx" + limits.heapBytes(), "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError", "-Xshare:auto", "-jar",
                        config.runtime().orElseThrow().toAbsolutePath().toString()),
                config.maxDisk().asLongValue(), limits.dataBytes());
        ProcessHandle started = launcher.process(command, folder, environment(plan, prepared, port))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.log().file().toFile()))
                .start()
                .toHandle();
        try {
            awaitMarker(started);
        } catch (InterruptedException | UncheckedIOException e) {
            // Without the marker a later stop would not find the process.
            started.destroyForcibly();
            throw e;
        }
        return started;
    }

    /** Returns a note about resource settings that this engine does not enforce; empty if there are none. */
    Optional<String> unsupportedResources(RevisionSpec plan) {
        return ProcessLimits.describeUnsupported(plan.resources(), launcher.canLimit());
    }

    /**
     * Waits until the process has its marker. Before {@code exec} it does not have one, and another search would start a second
     * process.
     */
    private void awaitMarker(ProcessHandle started) throws InterruptedException {
        for (int poll = 0; poll < MAX_POLLS && started.isAlive()
                && ProcessFinder.program(started.pid(), folder, marker()).isEmpty(); poll++) {
            Thread.sleep(POLL_INTERVAL_MILLIS);
        }
        record(started);
    }

    private Map<String, String> environment(RevisionSpec plan, BuiltApplication prepared, int port) {
        Map<String, String> settings = new TreeMap<>();
        Path configuration = prepared.configuration();
        Path application = configuration.resolveSibling("");
        settings.put("WAYBILL_RUNTIME_TRACING_PROJECT", plan.name());
        config.settings().forEach((name, value) -> settings.put(variable(name), value));
        settings.put("WAYBILL_RUNTIME_DIRECTORY", application.toString());
        settings.put("WAYBILL_RUNTIME_CONFIGURATION", configuration.getFileName().toString());
        settings.putAll(ThreadSettings.variables(plan, config.settings()));
        settings.put("WAYBILL_RUNTIME_ACCESS_WORKSPACE_ID", plan.tenantId().toString());
        settings.put("WAYBILL_RUNTIME_WORKER_FAILURE_FILE", output.failure().toString());
        settings.put("QUARKUS_HTTP_HOST", "127.0.0.1");
        settings.put("QUARKUS_HTTP_PORT", Integer.toString(port));
        // Any free port, because many applications share the machine.
        settings.put("QUARKUS_MANAGEMENT_PORT", "0");
        Map<String, String> environment = launcher.environment(folder, prepared.home(), folder.resolve("tmp"),
                plan.environment());
        environment.putAll(settings);
        Path python = application.resolve(".venv/bin");
        if (Files.isDirectory(python)) {
            environment.merge("PATH", python.toString(), (path, first) -> first + java.io.File.pathSeparator + path);
        }
        return environment;
    }

    private static String variable(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    boolean isHealthy() throws IOException, InterruptedException {
        Optional<Integer> port = port();
        if (port.isEmpty()) {
            return false;
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.get() + "/q/health/ready"))
                .version(HttpClient.Version.HTTP_1_1).timeout(HEALTH_CHECK_TIMEOUT).build();
        try {
            return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException _) {
            return false;
        }
    }

    /** Returns the process's output. */
    ApplicationOutput output() {
        return output;
    }

    /** Terminates the process, waits for the grace period, and kills what remains. */
    void end(Duration grace) throws InterruptedException {
        Optional<ProcessHandle> running = process();
        if (running.isPresent()) {
            running.get().destroy();
            long end = System.nanoTime() + grace.toNanos();
            while (process().isPresent() && System.nanoTime() < end) {
                Thread.sleep(50);
            }
        }
        ProcessFinder.kill(folder);
    }

    /**
     * The limits of a {@link ResourceSpec} that this engine enforces: {@code memory_limit_mb}, per process, if the machine has
     * {@code prlimit}. The user gets a note about settings without effect.
     *
     * @param heapBytes maximum heap of the runtime
     * @param dataBytes maximum data segment of each process; null for no limit
     */
    record ProcessLimits(long heapBytes, @Nullable Long dataBytes) {

        /** The runtime needs about as much memory outside of its heap as for it. */
        private static final int HEAP_DIVISOR = 2;

        static ProcessLimits of(ResourceSpec spec, long defaultHeap) {
            Integer megabytes = spec.memoryLimitMb();
            if (megabytes == null) {
                return new ProcessLimits(defaultHeap, null);
            }
            long bytes = (long) megabytes << 20;
            return new ProcessLimits(Math.min(defaultHeap, bytes / HEAP_DIVISOR), bytes);
        }

        /** Returns a note about settings that are not enforced, or only per process. */
        static Optional<String> describeUnsupported(ResourceSpec spec, boolean canLimit) {
            List<String> ignored = new ArrayList<>();
            note(ignored, "min_scale", spec.minScale());
            note(ignored, "max_scale", spec.maxScale());
            note(ignored, "cpu", spec.cpu());
            note(ignored, "cpu_limit", spec.cpuLimit());
            note(ignored, "memory_mb", spec.memoryMb());
            List<String> sentences = new ArrayList<>();
            if (spec.memoryLimitMb() != null && canLimit) {
                sentences.add("memory_limit_mb limits each process of the application, not their sum.");
            } else {
                note(ignored, "memory_limit_mb", spec.memoryLimitMb());
            }
            if (!ignored.isEmpty()) {
                sentences.add("Applications run as single processes on one machine, so these have no effect: "
                        + String.join(", ", ignored) + ".");
            }
            return sentences.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", sentences));
        }

        private static void note(List<String> names, String name, @Nullable Object value) {
            if (value != null) {
                names.add(name);
            }
        }
    }
}
