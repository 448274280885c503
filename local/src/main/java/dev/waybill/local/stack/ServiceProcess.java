package dev.waybill.local.stack;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.waybill.local.runtime.Program;
import dev.waybill.local.storage.ChildProcess;

/** A process of a packaged service; it can be stopped, killed, paused and started again on the same port and data. */
public final class ServiceProcess {

    private static final Duration READY_LIMIT = Duration.ofSeconds(300);

    private final Replica replica;
    private final StackSettings settings;
    private final ServiceConfiguration configuration;
    private final PidFiles notes;
    private @Nullable ChildProcess process;

    ServiceProcess(Replica replica, StackSettings settings, ServiceConfiguration configuration, PidFiles notes) {
        this.replica = replica;
        this.settings = settings;
        this.configuration = configuration;
        this.notes = notes;
    }

    /** Starts it; {@link #awaitReady} says when it answers. */
    public void start() {
        start(Map.of());
    }

    /** Starts it with these properties beside its own. */
    public void start(Map<String, String> properties) {
        Replica told = replica;
        for (Map.Entry<String, String> property : properties.entrySet()) {
            told = told.property(property.getKey(), property.getValue());
        }
        Program program = replica.kind().program(settings.release(replica));
        if (!program.exists()) {
            throw new StackException(name() + " is not built: " + program.file() + " is missing");
        }
        List<String> options = new ArrayList<>(List.of("-Xmx" + settings.heap(replica.kind()), "-Xss512k", "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=" + (settings.optimizingCompiler() ? 4 : 1), "-Xshare:auto",
                "-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        options.addAll(replica.options());
        options.add("-Dsmallrye.config.locations=" + configuration.write(told).toUri());
        process = ChildProcess.start(program.command(options), Map.of(), log(), settings.detached());
        notes.write(name(), process.pid());
    }

    /** Returns when the service says that it is ready. */
    public void awaitReady() {
        long deadline = System.nanoTime() + READY_LIMIT.toNanos();
        HttpRequest question = HttpRequest.newBuilder(address().resolve("/q/health/ready")).timeout(Duration.ofSeconds(5))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            while (!isReady(client, question)) {
                if (!running().isAlive()) {
                    throw new StackException(name() + " ended at once; its words are in "
                            + log());
                }
                if (System.nanoTime() > deadline) {
                    throw new StackException(name() + " is not ready after " + READY_LIMIT.toSeconds()
                            + " s; its words are in " + log());
                }
                Thread.sleep(100);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StackException("interrupted", e);
        }
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + replica.port());
    }

    /** @return where its metrics and descriptions are */
    public URI managementAddress() {
        return URI.create("http://127.0.0.1:" + replica.managementPort());
    }

    public long pid() {
        return running().pid();
    }

    /** In order, as Kubernetes does. */
    public void stop() {
        if (process != null) {
            process.close();
            notes.remove(name());
            process = null;
        }
    }

    /** kill -9 */
    public void kill() {
        running().kill();
        notes.remove(name());
        process = null;
    }

    /** It stays as it is, connections open, and does nothing until {@link #resume}. */
    public void pause() {
        running().pause();
    }

    public void resume() {
        running().resume();
    }

    /** Whether it was started and has not ended by itself. */
    public boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** @return where everything that it printed since the stack began is appended */
    public Path log() {
        return settings.home().log(name());
    }

    private String name() {
        return replica.name();
    }

    private ChildProcess running() {
        if (process == null) {
            throw new IllegalStateException(name() + " is not running");
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
