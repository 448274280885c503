package dev.waybill.local.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/** A child process of this JVM. Unless it is detached, it ends with this JVM, even after kill -9. */
public final class ChildProcess implements AutoCloseable {

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(25);

    private final Process process;
    private final @Nullable ProcessGuard guard;

    private ChildProcess(Process process, @Nullable ProcessGuard guard) {
        this.process = process;
        this.guard = guard;
    }

    /**
     * Starts a process.
     *
     * @param environment added to the variables of this JVM
     * @param logFile receives its output, appended
     * @param detached true leaves it running when this JVM ends
     */
    public static ChildProcess start(List<String> command, Map<String, String> environment, Path logFile, boolean detached) {
        try {
            Files.createDirectories(logFile.toAbsolutePath().resolveSibling("."));
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.appendTo(logFile.toFile()))
                    .redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
            builder.environment().putAll(environment);
            Process process = builder.start();
            return new ChildProcess(process, detached ? null : ProcessGuard.attach(process));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command.getFirst(), e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Sends a signal and waits until the process ends; kills it after a timeout. */
    public void stop(String signal) {
        detachGuard();
        Signals.send(pid(), signal);
        if (!awaitExit(STOP_TIMEOUT)) {
            kill();
        }
    }

    /** Sends SIGKILL. */
    public void kill() {
        detachGuard();
        process.destroyForcibly();
        awaitExit(STOP_TIMEOUT);
    }

    /** Suspends the process until {@link #resume}; its connections stay open. */
    public void pause() {
        Signals.send(pid(), "STOP");
    }

    public void resume() {
        Signals.send(pid(), "CONT");
    }

    @Override
    public void close() {
        stop("TERM");
    }

    private void detachGuard() {
        if (guard != null) {
            guard.close();
        }
    }

    private boolean awaitExit(Duration timeout) {
        try {
            return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
