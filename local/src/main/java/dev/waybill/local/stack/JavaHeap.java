package dev.waybill.local.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Measures the live heap of a JVM with the serial collector. */
public final class JavaHeap {

    private static final Pattern USED = Pattern.compile("total \\d+K, used (\\d+)K");

    private JavaHeap() {
    }

    /** Returns the used heap in bytes after a garbage collection. */
    public static long used(long pid) {
        jcmd(pid, "GC.run");
        List<Long> used = new ArrayList<>();
        USED.matcher(jcmd(pid, "GC.heap_info")).results().forEach(found -> used.add(Long.parseLong(found.group(1))));
        if (used.isEmpty()) {
            throw new IllegalStateException("the JVM did not report its heap");
        }
        return used.stream().mapToLong(Long::longValue).sum() * 1024;
    }

    private static String jcmd(long pid, String command) {
        try {
            Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                    Long.toString(pid), command).redirectErrorStream(true).start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
