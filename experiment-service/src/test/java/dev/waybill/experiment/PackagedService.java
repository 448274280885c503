package dev.waybill.experiment;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;

import dev.waybill.common.testing.TestDatabase;

/** The service as it is shipped, in a process of its own that can be killed, with the heap that it is promised to need. */
public final class PackagedService implements AutoCloseable {

    private final Process process;
    private final int port;

    private PackagedService(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Answers when it is ready; its log goes to {@code target/<log>.log}. */
    public static PackagedService start(String log) {
        try {
            int port = freePort();
            Process process = new ProcessBuilder(command(port))
                    .redirectErrorStream(true)
                    .redirectOutput(new File("target/" + log + ".log"))
                    .start();
            PackagedService service = new PackagedService(process, port);
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(service::isReady);
            return service;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return port;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** As {@code kill -9}; answers when it is gone. */
    public void kill() {
        try {
            process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }

    private static List<String> command(int port) {
        TestDatabase database = TestDatabase.get();
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError",
                "--enable-native-access=ALL-UNNAMED",
                "-Dquarkus.http.port=" + port, "-Dquarkus.http.host=localhost",
                "-Dquarkus.datasource.password=test",
                "-Dquarkus.datasource.jdbc.url=" + database.url(),
                "-Dquarkus.datasource.reactive.url=" + database.reactiveUrl()));
        ExperimentSettings.encryption().forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.addAll(List.of("-jar", "target/quarkus-app/quarkus-run.jar"));
        return command;
    }

    private boolean isReady() throws InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/q/health/ready")).build(),
                    HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
