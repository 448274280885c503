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

/**
 * A server process that we started. Unless it is meant to outlive us, it ends when this JVM ends, however that ends.
 */
public final class ChildProcess implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(25);

    private final Process process;
    private final @Nullable ProcessGuard guard;

    private ChildProcess(Process process, @Nullable ProcessGuard guard) {
        this.process = process;
        this.guard = guard;
    }

    /**
     * @param environment added to ours
     * @param logFile what it prints is appended there
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
            return new ChildProcess(process, detached ? null : ProcessGuard.tie(process));
        } catch (IOException e) {
            throw new UncheckedIOException("could not be started: " + command.getFirst(), e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Asks it to end with a signal and waits; it is killed when it does not. */
    public void end(String signal) {
        release();
        Signals.send(pid(), signal);
        if (!ended(GRACE)) {
            kill();
        }
    }

    /** kill -9 */
    public void kill() {
        release();
        process.destroyForcibly();
        ended(GRACE);
    }

    /** It stays as it is, connections open, and does nothing until {@link #resume}. */
    public void pause() {
        Signals.send(pid(), "STOP");
    }

    public void resume() {
        Signals.send(pid(), "CONT");
    }

    @Override
    public void close() {
        end("TERM");
    }

    private void release() {
        if (guard != null) {
            guard.close();
        }
    }

    private boolean ended(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
