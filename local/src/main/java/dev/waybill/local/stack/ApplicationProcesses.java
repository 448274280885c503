package dev.waybill.local.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Finds and kills the processes of deployed applications and of the reverse proxy. They survive a killed control plane; an
 * environment variable names their folder (docs/operations/local-engine.md). Requires {@code /proc}.
 */
public final class ApplicationProcesses {

    private static final Path PROC = Path.of("/proc");
    private static final String MARKER = "_WAYBILL_PROCESS=";
    private static final int MAX_ROUNDS = 20;
    private static final int KILL_TIMEOUT_SECONDS = 5;

    private ApplicationProcesses() {
    }

    /** Returns the running processes of a folder and its subfolders. */
    public static List<ProcessHandle> of(Path folder) {
        List<ProcessHandle> found = new ArrayList<>();
        if (!Files.isDirectory(PROC)) {
            return found;
        }
        String marker = MARKER + folder.toAbsolutePath().normalize();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                if (isMarked(process, marker)) {
                    ProcessHandle.of(Long.parseLong(process.getFileName().toString())).filter(ProcessHandle::isAlive)
                            .ifPresent(found::add);
                }
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether the process is the program that serves the revision, and not a child of that program. */
    public static boolean isProgramOf(ProcessHandle process, String revision) {
        try {
            String arguments = Files.readString(PROC.resolve(Long.toString(process.pid())).resolve("cmdline"),
                    StandardCharsets.ISO_8859_1);
            return List.of(arguments.split("\0")).contains("-Dwaybill.application=" + revision);
        } catch (IOException _) {
            // The process has ended.
            return false;
        }
    }

    /** Kills all processes of a folder and its subfolders. Returns whether any were running. */
    static boolean kill(Path folder) {
        List<ProcessHandle> running = of(folder);
        boolean found = !running.isEmpty();
        for (int round = 0; round < MAX_ROUNDS && !running.isEmpty(); round++) {
            running.forEach(ProcessHandle::destroyForcibly);
            running.forEach(ApplicationProcesses::awaitExit);
            running = of(folder);
        }
        return found;
    }

    private static void awaitExit(ProcessHandle process) {
        try {
            process.onExit().get(KILL_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException _) {
            // The next round retries.
        }
    }

    private static boolean isMarked(Path process, String marker) {
        try {
            String environment = "\0" + new String(Files.readAllBytes(process.resolve("environ")), StandardCharsets.ISO_8859_1)
                    + "\0";
            String variable = "\0" + new String(marker.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
            return environment.contains(variable + "\0") || environment.contains(variable + "/");
        } catch (IOException _) {
            // The process has ended or belongs to another user.
            return false;
        }
    }
}
