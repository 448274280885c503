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
 * The processes of deployed applications and the gate in front of them. They outlive a control plane that is killed, and carry
 * the folder they belong to in their environment (docs/operations.md). Found where there is {@code /proc}.
 */
public final class ApplicationProcesses {

    private static final Path PROC = Path.of("/proc");
    private static final String MARK = "_WAYBILL_PROCESS=";
    private static final int MOST_ROUNDS = 20;
    private static final int GRACE_SECONDS = 5;

    private ApplicationProcesses() {
    }

    /** Those of one folder and all folders in it. */
    public static List<ProcessHandle> of(Path folder) {
        List<ProcessHandle> found = new ArrayList<>();
        if (!Files.isDirectory(PROC)) {
            return found;
        }
        String mark = MARK + folder.toAbsolutePath().normalize();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                if (isMarked(process, mark)) {
                    ProcessHandle.of(Long.parseLong(process.getFileName().toString())).filter(ProcessHandle::isAlive)
                            .ifPresent(found::add);
                }
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it is the program that serves the revision, and not one that this has started. */
    public static boolean isProgramOf(ProcessHandle process, String revision) {
        try {
            String words = Files.readString(PROC.resolve(Long.toString(process.pid())).resolve("cmdline"),
                    StandardCharsets.ISO_8859_1);
            return List.of(words.split("\0")).contains("-Dwaybill.application=" + revision);
        } catch (IOException _) {
            // It has ended.
            return false;
        }
    }

    /**
     * Ends them all; nothing may start new ones meanwhile.
     *
     * @return whether there were any
     */
    static boolean end(Path folder) {
        List<ProcessHandle> left = of(folder);
        boolean found = !left.isEmpty();
        for (int round = 0; round < MOST_ROUNDS && !left.isEmpty(); round++) {
            left.forEach(ProcessHandle::destroyForcibly);
            left.forEach(ApplicationProcesses::awaitEnd);
            left = of(folder);
        }
        return found;
    }

    private static void awaitEnd(ProcessHandle process) {
        try {
            process.onExit().get(GRACE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException _) {
            // The next round sees it again.
        }
    }

    private static boolean isMarked(Path process, String mark) {
        try {
            String environment = "\0" + new String(Files.readAllBytes(process.resolve("environ")), StandardCharsets.ISO_8859_1)
                    + "\0";
            String told = "\0" + new String(mark.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
            return environment.contains(told + "\0") || environment.contains(told + "/");
        } catch (IOException _) {
            // It has ended, or is somebody else's.
            return false;
        }
    }
}
