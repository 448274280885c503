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
 * Finds processes by the mark that they were started with and hand on to all that they start: the folder they belong to, in
 * their environment. So they are found whoever started them, whatever was or was not written down, and however they were
 * detached. Needs {@code /proc}; elsewhere only processes of this control plane's own are known.
 */
final class MarkedProcesses {

    static final String MARK = "_WAYBILL_PROCESS";
    private static final Path PROC = Path.of("/proc");
    private static final int MOST_ROUNDS = 200;
    private static final int ROUND_MILLIS = 25;

    private MarkedProcesses() {
    }

    /** Those of the folder and of all folders in it. */
    static List<ProcessHandle> of(Path folder) {
        List<ProcessHandle> found = new ArrayList<>();
        if (!Files.isDirectory(PROC)) {
            return found;
        }
        byte[] mark = mark(folder);
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                if (isMarked(process, mark)) {
                    ProcessHandle.of(Long.parseLong(process.getFileName().toString())).ifPresent(found::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /**
     * The folder's one that was started with the argument. Not simply the oldest: what an application started may outlive it,
     * and must not be taken for it.
     */
    static Optional<ProcessHandle> program(Path folder, String argument) {
        return of(folder).stream().filter(process -> hasArgument(process.pid(), argument)).findFirst();
    }

    /** The same when it is known which one it would be: none of the others is looked at. */
    static Optional<ProcessHandle> program(long pid, Path folder, String argument) {
        return isMarked(PROC.resolve(Long.toString(pid)), mark(folder)) && hasArgument(pid, argument) ? ProcessHandle.of(pid)
                : Optional.empty();
    }

    private static byte[] mark(Path folder) {
        return (MARK + "=" + folder).getBytes(StandardCharsets.UTF_8);
    }

    private static boolean hasArgument(long pid, String argument) {
        try {
            String words = Files.readString(PROC.resolve(Long.toString(pid)).resolve("cmdline"), StandardCharsets.ISO_8859_1);
            return Arrays.asList(words.split("\0")).contains(argument);
        } catch (ClosedByInterruptException e) {
            throw new UncheckedIOException(e);
        } catch (IOException _) {
            // It has ended.
            return false;
        }
    }

    /**
     * Ends them all at once, until there are none; also when nobody waits for it any more.
     *
     * @return whether there are none
     */
    static boolean kill(Path folder) {
        // A thread that is being interrupted cannot read files.
        boolean interrupted = Thread.interrupted();
        List<ProcessHandle> left = of(folder);
        for (int round = 0; round < MOST_ROUNDS && !left.isEmpty(); round++) {
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

    /** The whole group at once, so that what forks faster than it is counted ends, too. */
    static void killGroup(long pid) {
        try {
            Process kill = new ProcessBuilder("kill", "-KILL", "--", "-" + pid).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            kill.waitFor(5, TimeUnit.SECONDS);
        } catch (IOException _) {
            // No such program: then one by one.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isMarked(Path process, byte[] mark) {
        byte[] environment;
        try {
            environment = Files.readAllBytes(process.resolve("environ"));
        } catch (ClosedByInterruptException e) {
            throw new UncheckedIOException(e);
        } catch (IOException _) {
            // It has ended, or is somebody else's.
            return false;
        }
        for (int at = 0; at < environment.length; at = end(environment, at) + 1) {
            int end = end(environment, at);
            if (begins(environment, at, mark)
                    && (end == at + mark.length || environment[at + mark.length] == '/')) {
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

    private static boolean begins(byte[] environment, int at, byte[] mark) {
        if (environment.length - at < mark.length) {
            return false;
        }
        return Arrays.equals(environment, at, at + mark.length, mark, 0, mark.length);
    }
}
