package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Measures a process with its child processes, which are the workers of an application. */
final class ProcessUsage {

    private static final int SAMPLE_MILLIS = 500;
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+([0-9]{1,15}) kB");
    private static final double NANOS_PER_SECOND = 1e9;

    private final ProcessHandle process;

    ProcessUsage(ProcessHandle process) {
        this.process = process;
    }

    /** Returns the cores in use during half a second, ignoring processes that start or end meanwhile. */
    double cpuCores() throws InterruptedException {
        List<ProcessHandle> processes = all();
        long start = System.nanoTime();
        List<Duration> before = processes.stream().map(ProcessUsage::cpu).toList();
        Thread.sleep(SAMPLE_MILLIS);
        double elapsed = (System.nanoTime() - start) / NANOS_PER_SECOND;
        double used = 0;
        for (int i = 0; i < processes.size(); i++) {
            Duration since = cpu(processes.get(i)).minus(before.get(i));
            used += since.isNegative() ? 0 : since.toNanos() / NANOS_PER_SECOND;
        }
        return used / elapsed;
    }

    /** Returns the resident memory; empty if this machine does not report it. */
    Optional<Long> memoryBytes() {
        List<Long> sizes = all().stream().flatMap(one -> resident(one.pid()).stream()).toList();
        return sizes.isEmpty() ? Optional.empty() : Optional.of(sizes.stream().mapToLong(Long::longValue).sum());
    }

    private List<ProcessHandle> all() {
        return Stream.concat(Stream.of(process), process.descendants()).toList();
    }

    private static Duration cpu(ProcessHandle one) {
        return one.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static Optional<Long> resident(long pid) {
        try {
            Matcher found = RESIDENT.matcher(Files.readString(Path.of("/proc/" + pid + "/status")));
            return found.find() ? Optional.of(Long.parseLong(found.group(1)) << 10) : Optional.empty();
        } catch (IOException _) {
            // It has ended.
            return Optional.empty();
        }
    }
}
