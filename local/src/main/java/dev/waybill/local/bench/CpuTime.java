package dev.waybill.local.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * CPU-seconds as the kernel counts them, user and system together. Wall time says more about the neighbours on the machine than
 * about the program.
 */
public final class CpuTime {

    private static final double TICKS_PER_SECOND = 100;

    // Where the kernel's fields stand behind the program's name, which may hold spaces and brackets itself.
    private static final int PARENT = 1;
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int CHILDREN_USER = 13;
    private static final int CHILDREN_SYSTEM = 14;

    private CpuTime() {
    }

    /** @return what all threads of a process have used since it began */
    public static double of(long pid) {
        List<String> fields = fields(pid);
        return seconds(fields, USER) + seconds(fields, SYSTEM);
    }

    /** @return what a process, its children and the children that have ended have used */
    static double ofFamily(long pid) {
        while (true) {
            double ended = ofEndedChildren(pid);
            double living = of(pid);
            for (Map.Entry<Long, Double> child : children(pid).entrySet()) {
                living += child.getValue();
            }
            // A child that ended in between would be counted twice or not at all.
            if (ofEndedChildren(pid) == ended) {
                return living + ended;
            }
        }
    }

    /** @return the most memory that a process ever held at once, in bytes */
    public static long peakMemory(long pid) {
        return status(pid, "VmHWM:");
    }

    /** @return the memory that a process holds, in bytes */
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

    /** Has {@link #peakMemory} begin anew with what the process holds now. */
    static void forgetPeakMemory(long pid) {
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
                // It has ended; its parent counts it now, and the caller looks again.
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
