package dev.waybill.local.stack;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.waybill.local.storage.ChildProcess;

/** One packaged service; it can be stopped, killed and started again on the same port and data. */
public final class ServiceProcess {

    private static final Duration READY_LIMIT = Duration.ofSeconds(180);

    private final ServiceKind kind;
    private final StackSettings settings;
    private final ServiceConfiguration configuration;
    private final ProcessNotes notes;
    private @Nullable ChildProcess process;

    ServiceProcess(ServiceKind kind, StackSettings settings, ServiceConfiguration configuration, ProcessNotes notes) {
        this.kind = kind;
        this.settings = settings;
        this.configuration = configuration;
        this.notes = notes;
    }

    /** Starts it; {@link #awaitReady} says when it answers. */
    public void start() {
        Path program = kind.program(settings.root());
        if (!Files.exists(program)) {
            throw new StackException(kind.module() + " is not built: " + program + " is missing");
        }
        List<String> command = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + settings.heap(kind), "-Xss512k", "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=" + (settings.fullSpeed() ? 4 : 1), "-Xshare:auto",
                "-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow",
                "-Dsmallrye.config.locations=" + configuration.write(kind).toUri(), "-jar", program.toString());
        process = ChildProcess.start(command, Map.of(), settings.home().log(kind.module()), settings.outlivesUs());
        notes.write(kind.module(), process.pid());
    }

    /** Returns when the service says that it is ready. */
    public void awaitReady() {
        long deadline = System.nanoTime() + READY_LIMIT.toNanos();
        HttpRequest question = HttpRequest.newBuilder(address().resolve("/q/health/ready")).timeout(Duration.ofSeconds(5))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            while (!isReady(client, question)) {
                if (!running().isAlive()) {
                    throw new StackException(kind.module() + " ended at once; its words are in "
                            + settings.home().log(kind.module()));
                }
                if (System.nanoTime() > deadline) {
                    throw new StackException(kind.module() + " is not ready after " + READY_LIMIT.toSeconds()
                            + " s; its words are in " + settings.home().log(kind.module()));
                }
                Thread.sleep(100);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("interrupted", e);
        }
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + settings.ports().of(kind));
    }

    public long pid() {
        return running().pid();
    }

    /** In order, as Kubernetes does. */
    public void stop() {
        if (process != null) {
            process.close();
            notes.remove(kind.module());
            process = null;
        }
    }

    /** kill -9 */
    public void kill() {
        running().kill();
        notes.remove(kind.module());
        process = null;
    }

    private ChildProcess running() {
        if (process == null) {
            throw new IllegalStateException(kind.module() + " is not running");
        }
        return process;
    }

    private static boolean isReady(HttpClient client, HttpRequest question) throws InterruptedException {
        try {
            return client.send(question, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException _) {
            return false;
        }
    }
}
