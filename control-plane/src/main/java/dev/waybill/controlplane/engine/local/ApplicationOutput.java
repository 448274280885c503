package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.waybill.controlplane.engine.WorkerFailureReport;

/**
 * Reads an application's log and its worker's failure file (deployment-runtime). The application can write both, so sizes are
 * limited and symbolic links are not followed.
 */
final class ApplicationOutput {

    private static final int LAST_BYTES = 8 << 10;
    private static final int LAST_LINES = 20;
    private static final int MAX_FAILURE_BYTES = 32 << 10;

    private final OutputLog log;
    private final Path failure;

    ApplicationOutput(Path folder) {
        this.log = new OutputLog(folder);
        this.failure = folder.resolve("failure");
    }

    /** Returns the output of the process. */
    OutputLog log() {
        return log;
    }

    /** Returns the file to which the runtime writes a worker's failure. */
    Path failure() {
        return failure;
    }

    /** Prepares the files for a new process. */
    void begin() throws IOException, InterruptedException {
        log.begin();
        Files.deleteIfExists(failure);
    }

    /** Returns cause and advice if a worker cannot start; empty if the runtime reported none. */
    Optional<String> startFailure() throws IOException {
        List<String> lines = failureLines();
        return lines.isEmpty() ? Optional.empty() : WorkerFailureReport.reason(lines.getLast());
    }

    /** Returns the last lines of the failed worker if one is reported, otherwise those of the last process in the log. */
    List<String> lastLines() throws IOException {
        List<String> reported = failureLines();
        List<String> lines = reported.size() > 1 ? reported.subList(0, reported.size() - 1) : logLines();
        return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
    }

    private List<String> failureLines() throws IOException {
        return isFile(failure) && Files.size(failure) <= MAX_FAILURE_BYTES ? lines(Files.readAllBytes(failure)) : List.of();
    }

    private List<String> logLines() throws IOException {
        if (!isFile(log.file())) {
            return List.of();
        }
        try (RandomAccessFile file = new RandomAccessFile(log.file().toFile(), "r")) {
            long length = Math.max(0, file.length() - log.processOffset());
            byte[] end = new byte[(int) Math.min(LAST_BYTES, length)];
            file.seek(file.length() - end.length);
            file.readFully(end);
            List<String> lines = new ArrayList<>(lines(end));
            if (end.length < length && !lines.isEmpty()) {
                // The first line is incomplete, and half a secret would not be redacted.
                lines.removeFirst();
            }
            return lines;
        }
    }

    private static List<String> lines(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8).lines()
                .filter(line -> !line.isBlank())
                .map(line -> line.replaceAll("\\p{Cntrl}", " "))
                .toList();
    }

    private static boolean isFile(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }
}
