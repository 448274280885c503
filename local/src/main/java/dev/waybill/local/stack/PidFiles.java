package dev.waybill.local.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.waybill.local.storage.OrphanProcess;

/**
 * Files that record the processes of a stack. The next start and {@code --stop} use them to find processes that a killed
 * launcher
 * or {@code --keep} left running.
 */
final class PidFiles {

    private final HomeDirectory home;

    PidFiles(HomeDirectory home) {
        this.home = home;
    }

    void write(String name, long pid) {
        String started = ProcessHandle.of(pid).flatMap(handle -> handle.info().startInstant()).map(Instant::toString)
                .orElse("");
        HomeDirectory.writePrivateFile(home.pidFile(name), pid + "\n" + started + "\n");
    }

    void remove(String name) {
        try {
            Files.deleteIfExists(home.pidFile(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the recorded process if it is running. */
    Optional<ProcessHandle> findRunning(String name) {
        Path pidFile = home.pidFile(name);
        if (!Files.exists(pidFile)) {
            return Optional.empty();
        }
        try {
            List<String> lines = Files.readAllLines(pidFile);
            // A process with the same id and another start time is unrelated.
            return ProcessHandle.of(Long.parseLong(lines.get(0)))
                    .filter(handle -> handle.info().startInstant().map(Instant::toString).orElse("").equals(lines.get(1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops the recorded process. Returns whether it was running. */
    boolean stopOrphan(String name) {
        Optional<ProcessHandle> orphan = findRunning(name);
        orphan.ifPresent(OrphanProcess::stop);
        remove(name);
        return orphan.isPresent();
    }
}
