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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.waybill.controlplane.engine.Plan;

/**
 * The process of one revision: found, started, asked, ended. There is never a second one: it is looked for before it is
 * started.
 */
final class Application {

    private static final Duration HEALTH_ANSWER = Duration.ofSeconds(3);
    private static final int MOST_LOOKS = 1_000;
    private static final int LOOK_MILLIS = 5;
    private static final String PROCESS = "process";

    private final Path folder;
    private final LocalEngineConfig config;
    private final Launch launch;
    private final Ports ports;
    private final HttpClient client;
    private final ApplicationOutput output;

    Application(Path folder, LocalEngineConfig config, Launch launch, Ports ports, HttpClient client) {
        this.ports = ports;
        this.folder = folder;
        this.output = new ApplicationOutput(folder);
        this.config = config;
        this.launch = launch;
        this.client = client;
    }

    /** All processes of the machine are looked through only when the one that was noted is not it, or is gone. */
    Optional<ProcessHandle> process() {
        Optional<ProcessHandle> noted = noted();
        if (noted.isPresent()) {
            return noted;
        }
        Optional<ProcessHandle> found = MarkedProcesses.program(folder, mark());
        found.ifPresent(this::note);
        return found;
    }

    private Optional<ProcessHandle> noted() {
        try {
            return Places.read(folder.resolve(PROCESS))
                    .filter(pid -> pid.matches("[0-9]{1,10}"))
                    .flatMap(pid -> MarkedProcesses.program(Long.parseLong(pid), folder, mark()));
        } catch (ClosedByInterruptException e) {
            throw new UncheckedIOException(e);
        } catch (IOException _) {
            // Not what was written there: as good as nothing.
            return Optional.empty();
        }
    }

    private void note(ProcessHandle process) {
        try {
            Places.write(folder.resolve(PROCESS), Long.toString(process.pid()));
        } catch (IOException _) {
            // It is only found sooner with it.
        }
    }

    /** Tells the application itself from what it starts; a name that it can have in any encoding. */
    private String mark() {
        return "-Dwaybill.application=" + folder.getFileName();
    }

    Optional<Integer> port() throws IOException {
        return Ports.of(folder);
    }

    /** The one that runs, or a new one on a port that is free now. */
    ProcessHandle start(Plan plan, Prepared prepared) throws IOException, InterruptedException {
        Optional<ProcessHandle> running = process();
        if (running.isPresent()) {
            return running.get();
        }
        // What one before left behind.
        MarkedProcesses.kill(folder);
        int port = ports.choose(folder);
        output.clear();
        ProcessLimits limits = ProcessLimits.of(plan.resources(), config.heap().asLongValue());
        List<String> command = launch.contained(List.of(launch.java(), mark(), "-Xmx" + limits.heapBytes(), "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError", "-Xshare:auto", "-jar",
                config.runtime().orElseThrow().toAbsolutePath().toString()), config.disk().asLongValue(), limits.dataBytes());
        ProcessHandle started = launch.process(command, folder, environment(plan, prepared, port))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.log().toFile()))
                .start()
                .toHandle();
        try {
            awaitMark(started);
        } catch (InterruptedException | UncheckedIOException e) {
            // Whoever stops it now could miss it.
            started.destroyForcibly();
            throw e;
        }
        return started;
    }

    /** What of the plan's resources does not hold here as it may be expected; empty when all does. */
    Optional<String> unmet(Plan plan) {
        return ProcessLimits.told(plan.resources(), launch.canLimit());
    }

    /** It has its mark only when it is the program; until then whoever looked would start a second one. */
    private void awaitMark(ProcessHandle started) throws InterruptedException {
        for (int look = 0; look < MOST_LOOKS && started.isAlive()
                && MarkedProcesses.program(started.pid(), folder, mark()).isEmpty(); look++) {
            Thread.sleep(LOOK_MILLIS);
        }
        note(started);
    }

    private Map<String, String> environment(Plan plan, Prepared prepared, int port) {
        Map<String, String> own = new TreeMap<>();
        Path configuration = prepared.configuration();
        Path application = configuration.resolveSibling("");
        own.put("WAYBILL_RUNTIME_TRACING_PROJECT", plan.name());
        config.settings().forEach((name, value) -> own.put(variable(name), value));
        own.put("WAYBILL_RUNTIME_DIRECTORY", application.toString());
        own.put("WAYBILL_RUNTIME_CONFIGURATION", configuration.getFileName().toString());
        own.put("WAYBILL_RUNTIME_ACCESS_WORKSPACE_ID", plan.tenantId().toString());
        own.put("WAYBILL_RUNTIME_WORKER_FAILURE_FILE", output.failure().toString());
        own.put("QUARKUS_HTTP_HOST", "127.0.0.1");
        own.put("QUARKUS_HTTP_PORT", Integer.toString(port));
        // Any that is free: many applications share the machine.
        own.put("QUARKUS_MANAGEMENT_PORT", "0");
        Map<String, String> environment = launch.environment(folder, prepared.home(), folder.resolve("tmp"),
                plan.environment());
        environment.putAll(own);
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
        HttpRequest question = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.get() + "/q/health/ready"))
                .version(HttpClient.Version.HTTP_1_1).timeout(HEALTH_ANSWER).build();
        try {
            return client.send(question, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException _) {
            return false;
        }
    }

    /** Returns what it has written. */
    ApplicationOutput output() {
        return output;
    }

    /** Asks it to end, waits as long as it may take, and ends what is left. */
    void end(Duration grace) throws InterruptedException {
        Optional<ProcessHandle> running = process();
        if (running.isPresent()) {
            running.get().destroy();
            long end = System.nanoTime() + grace.toNanos();
            while (process().isPresent() && System.nanoTime() < end) {
                Thread.sleep(50);
            }
        }
        MarkedProcesses.kill(folder);
    }
}
