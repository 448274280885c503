package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
    private static final long MAX_LOG_BYTES = 10L << 20;

    private final Path log;
    private final Path failure;

    ApplicationOutput(Path folder) {
        this.log = folder.resolve("output.log");
        this.failure = folder.resolve("failure");
    }

    /** Returns the file of the process's output. */
    Path log() {
        return log;
    }

    /** Returns the file to which the runtime writes a worker's failure. */
    Path failure() {
        return failure;
    }

    /** Deletes the files of an earlier process. */
    void clear() throws IOException {
        Files.deleteIfExists(log);
        Files.deleteIfExists(failure);
    }

    /** Truncates a log above 10 MiB. The process appends to it, so it continues at the new end. */
    void truncateLargeLog() throws IOException {
        if (isFile(log) && Files.size(log) > MAX_LOG_BYTES) {
            try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
                channel.truncate(0);
            }
        }
    }

    /** Returns cause and advice if a worker cannot start; empty if the runtime reported none. */
    Optional<String> startFailure() throws IOException {
        List<String> lines = failureLines();
        return lines.isEmpty() ? Optional.empty() : WorkerFailureReport.reason(lines.getLast());
    }

    /** Returns the last lines of the failed worker if one is reported, otherwise of the log. */
    List<String> lastLines() throws IOException {
        List<String> reported = failureLines();
        List<String> lines = reported.size() > 1 ? reported.subList(0, reported.size() - 1) : logLines();
        return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
    }

    private List<String> failureLines() throws IOException {
        return isFile(failure) && Files.size(failure) <= MAX_FAILURE_BYTES ? lines(Files.readAllBytes(failure)) : List.of();
    }

    private List<String> logLines() throws IOException {
        if (!isFile(log)) {
            return List.of();
        }
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long length = file.length();
            byte[] end = new byte[(int) Math.min(LAST_BYTES, length)];
            file.seek(length - end.length);
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
