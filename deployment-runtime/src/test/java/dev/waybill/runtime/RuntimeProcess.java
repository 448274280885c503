package dev.waybill.runtime;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.waybill.common.testing.Patience;
import dev.waybill.common.testing.packaging.ServiceArtifact;
import io.restassured.RestAssured;

/** A packaged runtime in its own process. */
public final class RuntimeProcess implements AutoCloseable {

    private static final Pattern LISTENS = Pattern.compile("Listening on: http://\\S*?:(\\d+)");

    private final Process process;
    private final Path log;

    private RuntimeProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts a runtime on free ports.
     *
     * @param application directory with a {@code langgraph.json}
     * @param threads directory of the threads' file
     */
    public static RuntimeProcess start(Path application, Path threads, Path log) throws IOException {
        return start(application, Map.of("waybill.runtime.threads.storage", "file",
                "waybill.runtime.threads.directory", threads.toString()), log);
    }

    /** Starts a runtime on free ports with further settings. */
    public static RuntimeProcess start(Path application, Map<String, String> settings, Path log) throws IOException {
        List<String> options = new ArrayList<>(List.of("-Xmx256m", "-Dquarkus.http.port=0", "-Dquarkus.management.port=0"));
        settings.forEach((name, value) -> options.add("-D" + name + "=" + value));
        ProcessBuilder builder = new ProcessBuilder(ServiceArtifact.of("deployment-runtime").command(options))
                .directory(application.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().keySet().removeIf(name -> name.matches("(WAYBILL|QUARKUS|LANGSMITH|LANGCHAIN)_.*"));
        return new RuntimeProcess(builder.start(), log);
    }

    /** Waits until all workers are ready; returns the address. */
    public URI awaitReady() {
        int port = awaitPort(log);
        Patience.await().ignoreExceptions()
                .until(() -> RestAssured.given().port(port).get("/q/health/ready").statusCode() == 200);
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Waits until the log of a server names its port. */
    public static int awaitPort(Path log) {
        return Patience.await().ignoreExceptions().until(() -> portIn(log), Optional::isPresent).orElseThrow();
    }

    private static Optional<Integer> portIn(Path log) throws IOException {
        return LISTENS.matcher(Files.readString(log)).results().findFirst().map(found -> Integer.valueOf(found.group(1)));
    }

    public Process process() {
        return process;
    }

    /** Kills the runtime, but not its workers, which end with their standard input. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
