package dev.waybill.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** CPU time of a service's JVM by kind of thread. */
final class ThreadCpuTimes {

    /** Kind of a thread, by its name, of which the kernel stores fifteen characters. */
    enum Kind {

        COMPILER("compiler", "C1 CompilerThre", "C2 CompilerThre", "Sweeper thread"),
        COLLECTOR("garbage collector, safepoints", "VM Thread", "VM Periodic Tas", "G1", "GC Thread"),
        WORK("reading, encoding, hashing, S3 requests", "waybill-work"),
        CARRIER("carriers of virtual threads", "ForkJoinPool"),
        POLLER("pollers of virtual threads' sockets", "Read-Poller", "Write-Poller", "Master-Poller"),
        EVENT_LOOP("event loops: requests, PostgreSQL client", "vert.x-eventloo"),
        STORE("event loop of the S3 client", "waybill-s3"),
        OTHER("other threads");

        private final String description;
        private final List<String> names;

        Kind(String description, String... names) {
            this.description = description;
            this.names = List.of(names);
        }

        String description() {
            return description;
        }

        private static Kind of(String thread) {
            return Stream.of(values())
                    .filter(kind -> kind.names.stream().anyMatch(thread::startsWith))
                    .findFirst()
                    .orElse(OTHER);
        }
    }

    private final Map<Kind, Double> seconds;

    private ThreadCpuTimes(Map<Kind, Double> seconds) {
        this.seconds = seconds;
    }

    /** Returns the CPU time of the live threads of a process since their start. */
    static ThreadCpuTimes of(long pid) {
        Map<Kind, Double> seconds = new EnumMap<>(Kind.class);
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            threads.forEach(thread -> add(thread, seconds));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ThreadCpuTimes(seconds);
    }

    private static void add(Path thread, Map<Kind, Double> seconds) {
        try {
            Kind kind = Kind.of(Files.readString(thread.resolve("comm")).strip());
            String nanos = Files.readString(thread.resolve("schedstat")).split(" ")[0];
            seconds.merge(kind, Long.parseLong(nanos) / 1e9, Double::sum);
        } catch (IOException _) {
            // The thread has ended; its CPU time is not counted.
        }
    }

    /** Returns the CPU time since {@code before}. */
    ThreadCpuTimes since(ThreadCpuTimes before) {
        Map<Kind, Double> used = new EnumMap<>(Kind.class);
        seconds.forEach((kind, now) -> used.put(kind, now - before.of(kind)));
        return new ThreadCpuTimes(used);
    }

    double of(Kind kind) {
        return seconds.getOrDefault(kind, 0.0);
    }
}
