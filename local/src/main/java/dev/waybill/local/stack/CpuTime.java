package dev.waybill.local.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads CPU-seconds (user and system) and memory of processes from {@code /proc}. CPU time is less affected by other
 * processes on the machine than wall time.
 */
public final class CpuTime {

    private static final double TICKS_PER_SECOND = 100;

    // Indexes of the fields of /proc/PID/stat after the program name, which may contain spaces and brackets.
    private static final int PARENT = 1;
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int CHILDREN_USER = 13;
    private static final int CHILDREN_SYSTEM = 14;

    private CpuTime() {
    }

    /** Returns the CPU-seconds of all threads of a process since its start. */
    public static double of(long pid) {
        List<String> fields = fields(pid);
        return seconds(fields, USER) + seconds(fields, SYSTEM);
    }

    /** Returns the CPU-seconds of a process, its children and its ended children. */
    public static double ofFamily(long pid) {
        while (true) {
            double ended = ofEndedChildren(pid);
            double living = of(pid);
            for (Map.Entry<Long, Double> child : children(pid).entrySet()) {
                living += child.getValue();
            }
            // Retries if a child ended in between, which would be counted twice or not at all.
            if (ofEndedChildren(pid) == ended) {
                return living + ended;
            }
        }
    }

    /** Returns the peak resident memory of a process in bytes. */
    public static long peakMemory(long pid) {
        return status(pid, "VmHWM:");
    }

    /** Returns the resident memory of a process in bytes. */
    public static long memory(long pid) {
        return status(pid, "VmRSS:");
    }

    private static long status(long pid, String name) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                    .filter(line -> line.startsWith(name))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Resets {@link #peakMemory} to the current resident memory. */
    public static void resetPeakMemory(long pid) {
        try {
            Files.writeString(Path.of("/proc", Long.toString(pid), "clear_refs"), "5");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double ofEndedChildren(long pid) {
        List<String> fields = fields(pid);
        return seconds(fields, CHILDREN_USER) + seconds(fields, CHILDREN_SYSTEM);
    }

    private static Map<Long, Double> children(long parent) {
        Map<Long, Double> children = new HashMap<>();
        ProcessHandle.of(parent).stream().flatMap(ProcessHandle::children).forEach(child -> {
            try {
                List<String> fields = fields(child.pid());
                if (Long.parseLong(fields.get(PARENT)) == parent) {
                    children.put(child.pid(), seconds(fields, USER) + seconds(fields, SYSTEM));
                }
            } catch (UncheckedIOException _) {
                // The child has ended and is counted by its parent; the caller retries.
            }
        });
        return children;
    }

    private static double seconds(List<String> fields, int field) {
        return Long.parseLong(fields.get(field)) / TICKS_PER_SECOND;
    }

    private static List<String> fields(long pid) {
        try {
            String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
            return List.of(line.substring(line.lastIndexOf(')') + 2).split(" "));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
