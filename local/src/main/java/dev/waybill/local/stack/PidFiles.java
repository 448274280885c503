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
 * Which processes run, written down, so that the next start (or {@code --stop}) finds what a killed launcher or {@code --keep}
 * left.
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

    /** @return the process that the note speaks of, if it runs */
    Optional<ProcessHandle> running(String name) {
        Path note = home.pidFile(name);
        if (!Files.exists(note)) {
            return Optional.empty();
        }
        try {
            List<String> lines = Files.readAllLines(note);
            // The same number with another beginning is somebody else's process.
            return ProcessHandle.of(Long.parseLong(lines.get(0)))
                    .filter(handle -> handle.info().startInstant().map(Instant::toString).orElse("").equals(lines.get(1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return whether there was something to end */
    boolean stopOrphan(String name) {
        Optional<ProcessHandle> leftOver = running(name);
        leftOver.ifPresent(OrphanProcess::end);
        remove(name);
        return leftOver.isPresent();
    }
}
