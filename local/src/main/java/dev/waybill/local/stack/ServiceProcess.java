package dev.waybill.local.stack;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.waybill.local.runtime.HttpProbe;
import dev.waybill.local.runtime.Program;
import dev.waybill.local.storage.ChildProcess;

/** A process of a packaged service. It can be stopped, killed, paused and restarted on the same port and data. */
public final class ServiceProcess {

    private static final Duration READY_TIMEOUT = Duration.ofSeconds(300);

    private final Replica replica;
    private final StackSettings settings;
    private final ServiceConfiguration configuration;
    private final PidFiles pidFiles;
    private @Nullable ChildProcess process;

    ServiceProcess(Replica replica, StackSettings settings, ServiceConfiguration configuration, PidFiles pidFiles) {
        this.replica = replica;
        this.settings = settings;
        this.configuration = configuration;
        this.pidFiles = pidFiles;
    }

    /** Starts the process without waiting for readiness; see {@link #awaitReady}. */
    public void start() {
        start(Map.of());
    }

    /** Starts the process with additional properties. */
    public void start(Map<String, String> properties) {
        Replica configured = replica;
        for (Map.Entry<String, String> property : properties.entrySet()) {
            configured = configured.property(property.getKey(), property.getValue());
        }
        Program program = replica.kind().program(settings.release(replica));
        if (!program.exists()) {
            throw new StackException(name() + " is not built: " + program.file() + " is missing");
        }
        List<String> options = new ArrayList<>(List.of("-Xmx" + settings.heap(configured), "-Xss512k", "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=" + (settings.optimizingCompiler() ? 4 : 1), "-Xshare:auto",
                "-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        options.addAll(replica.options());
        options.add("-Dsmallrye.config.locations=" + configuration.write(configured).toUri());
        process = ChildProcess.start(program.command(options), Map.of(), log(), settings.detached());
        pidFiles.write(name(), process.pid());
    }

    /** Waits until the readiness check of the service succeeds. */
    public void awaitReady() {
        if (!HttpProbe.awaitOk(address().resolve("/q/health/ready"), this::isAlive, READY_TIMEOUT)) {
            throw new StackException(name() + (isAlive() ? " is not ready after " + READY_TIMEOUT.toSeconds() + " s"
                    : " exited during startup") + "; see " + log());
        }
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + replica.port());
    }

    /** Returns the address of the management interface. */
    public URI managementAddress() {
        return URI.create("http://127.0.0.1:" + replica.managementPort());
    }

    public long pid() {
        return running().pid();
    }

    /** Stops the process with SIGTERM, as Kubernetes does. */
    public void stop() {
        if (process != null) {
            process.close();
            pidFiles.remove(name());
            process = null;
        }
    }

    /** Sends SIGKILL. */
    public void kill() {
        running().kill();
        pidFiles.remove(name());
        process = null;
    }

    /** Suspends the process until {@link #resume}; its connections stay open. */
    public void pause() {
        running().pause();
    }

    public void resume() {
        running().resume();
    }

    /** Returns whether the process is running. */
    public boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Returns the file that contains the output of all runs of the process. */
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
}
