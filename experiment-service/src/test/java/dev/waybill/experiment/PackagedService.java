package dev.waybill.experiment;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;

import dev.waybill.common.testing.TestDatabase;
import dev.waybill.common.testing.packaging.ServiceArtifact;
import dev.waybill.local.storage.FreePort;

/** Runs the packaged service in its own process with the documented heap size; tests can kill it. */
public final class PackagedService implements AutoCloseable {

    private final Process process;
    private final int port;
    private final String log;

    private PackagedService(Process process, int port, String log) {
        this.process = process;
        this.log = log;
        this.port = port;
    }

    /** Starts the service, waits until it is ready and logs to {@code target/<log>.log}. */
    public static PackagedService start(String log) {
        try {
            int port = FreePort.find();
            Process process = new ProcessBuilder(command(port))
                    .redirectErrorStream(true)
                    .redirectOutput(new File("target/" + log + ".log"))
                    .start();
            PackagedService service = new PackagedService(process, port, log);
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

    /**
     * Writes dumps of all threads, including virtual threads, next to the log.
     *
     * @return a sentence with the paths for assertion messages
     */
    public String dumpThreads() {
        String base = "target/" + log + "-threads";
        diagnose(base + ".txt", "Thread.print", "-l");
        diagnose(base + "-scheduler.txt", "Thread.vthread_scheduler");
        diagnose(base + "-dump.txt", "Thread.dump_to_file", "-format=json", "-overwrite",
                Path.of(base + ".json").toAbsolutePath().toString());
        return "thread dumps are in " + base + ".json, .txt and -scheduler.txt";
    }

    /** Returns whether the service is a native binary, whose threads jcmd cannot dump. */
    public static boolean isBinary() {
        return ServiceArtifact.of("experiment-service").isBinary();
    }

    /** Returns the number of carrier threads that the JVM reports. */
    public int carriers() throws IOException {
        diagnose("target/" + log + "-carriers.txt", "Thread.vthread_scheduler");
        Matcher parallelism = Pattern.compile("parallelism = (\\d+)")
                .matcher(Files.readString(Path.of("target/" + log + "-carriers.txt")));
        if (!parallelism.find()) {
            throw new IOException("the JVM did not report the number of carrier threads");
        }
        return Integer.parseInt(parallelism.group(1));
    }

    private void diagnose(String output, String... command) {
        List<String> words = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(process.pid())));
        words.addAll(List.of(command));
        try {
            Process jcmd = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(new File(output)).start();
            if (!jcmd.waitFor(1, TimeUnit.MINUTES)) {
                jcmd.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kills the process with SIGKILL and waits until it has ended. */
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
        List<String> options = new ArrayList<>(List.of("-Xmx256m", "-Dquarkus.http.port=" + port, "-Dquarkus.management.port=0",
                "-Dquarkus.http.host=localhost", "-Dquarkus.datasource.password=test",
                // The first connection can be slow on a machine that runs other tests.
                "-Dquarkus.datasource.jdbc.acquisition-timeout=2M",
                "-Dquarkus.datasource.jdbc.url=" + database.url(),
                "-Dquarkus.datasource.reactive.url=" + database.reactiveUrl()));
        ExperimentSettings.encryption().forEach((key, value) -> options.add("-D" + key + "=" + value));
        return ServiceArtifact.of("experiment-service").command(options);
    }

    private boolean isReady() throws InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/q/health/ready")).build(),
                    HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }
}
