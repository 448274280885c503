package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Finds processes by a marker in their environment: the folder that they belong to. Child processes inherit it, so they are
 * found whichever control plane started them and however they were detached. Requires {@code /proc}; elsewhere no processes are
 * found.
 */
final class ProcessFinder {

    static final String MARKER = "_WAYBILL_PROCESS";
    private static final Path PROC = Path.of("/proc");
    private static final int MAX_ROUNDS = 200;
    private static final int ROUND_MILLIS = 25;

    private ProcessFinder() {
    }

    /** Returns the processes of the folder and of all folders below it. */
    static List<ProcessHandle> of(Path folder) {
        List<ProcessHandle> found = new ArrayList<>();
        if (!Files.isDirectory(PROC)) {
            return found;
        }
        byte[] marker = marker(folder);
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                if (isMarked(process, marker)) {
                    ProcessHandle.of(Long.parseLong(process.getFileName().toString())).ifPresent(found::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /**
     * Returns the folder's process that has the command-line argument. Child processes, which can outlive the application, do
     * not have it.
     */
    static Optional<ProcessHandle> program(Path folder, String argument) {
        return of(folder).stream().filter(process -> hasArgument(process.pid(), argument)).findFirst();
    }

    /** Like {@link #program(Path, String)}, checks only the process with the given pid. */
    static Optional<ProcessHandle> program(long pid, Path folder, String argument) {
        return isMarked(PROC.resolve(Long.toString(pid)), marker(folder)) && hasArgument(pid, argument) ? ProcessHandle.of(pid)
                : Optional.empty();
    }

    private static byte[] marker(Path folder) {
        return (MARKER + "=" + folder).getBytes(StandardCharsets.UTF_8);
    }

    private static boolean hasArgument(long pid, String argument) {
        try {
            String arguments = Files.readString(PROC.resolve(Long.toString(pid)).resolve("cmdline"),
                    StandardCharsets.ISO_8859_1);
            return Arrays.asList(arguments.split("\0")).contains(argument);
        } catch (ClosedByInterruptException e) {
            throw new UncheckedIOException(e);
        } catch (IOException _) {
            // The process has ended.
            return false;
        }
    }

    /**
     * Kills all processes of the folder, repeatedly until none is left; continues if the thread is interrupted.
     *
     * @return whether none is left
     */
    static boolean kill(Path folder) {
        // An interrupted thread cannot read files through channels.
        boolean interrupted = Thread.interrupted();
        List<ProcessHandle> left = of(folder);
        for (int round = 0; round < MAX_ROUNDS && !left.isEmpty(); round++) {
            try {
                for (ProcessHandle process : left) {
                    killGroup(process.pid());
                    process.destroyForcibly();
                }
                Thread.sleep(ROUND_MILLIS);
            } catch (InterruptedException _) {
                interrupted = true;
            }
            left = of(folder);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return left.isEmpty();
    }

    /** Kills the whole process group, which also ends processes that fork faster than they are listed. */
    static void killGroup(long pid) {
        try {
            Process kill = new ProcessBuilder("kill", "-KILL", "--", "-" + pid).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            kill.waitFor(5, TimeUnit.SECONDS);
        } catch (IOException _) {
            // Without a kill program the processes are killed one by one.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isMarked(Path process, byte[] marker) {
        byte[] environment;
        try {
            environment = Files.readAllBytes(process.resolve("environ"));
        } catch (ClosedByInterruptException e) {
            throw new UncheckedIOException(e);
        } catch (IOException _) {
            // The process has ended or belongs to another user.
            return false;
        }
        for (int at = 0; at < environment.length; at = end(environment, at) + 1) {
            int end = end(environment, at);
            if (begins(environment, at, marker)
                    && (end == at + marker.length || environment[at + marker.length] == '/')) {
                return true;
            }
        }
        return false;
    }

    private static int end(byte[] environment, int at) {
        int end = at;
        while (end < environment.length && environment[end] != 0) {
            end++;
        }
        return end;
    }

    private static boolean begins(byte[] environment, int at, byte[] marker) {
        if (environment.length - at < marker.length) {
            return false;
        }
        return Arrays.equals(environment, at, at + marker.length, marker, 0, marker.length);
    }
}
