package dev.waybill.local.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Which threads of a service's JVM used how much CPU, as the kernel counts it in nanoseconds. */
final class ThreadCpuTimes {

    /** What a thread is there for, told from its name; the kernel keeps fifteen characters of that. */
    enum Kind {

        COMPILER("compiler", "C1 CompilerThre", "C2 CompilerThre", "Sweeper thread"),
        COLLECTOR("collector, safepoints", "VM Thread", "VM Periodic Tas", "G1", "GC Thread"),
        WORK("reading, encoding, hashing, asking the S3 client", "waybill-work"),
        CARRIER("carriers of virtual threads", "ForkJoinPool"),
        POLLER("pollers of virtual threads' sockets", "Read-Poller", "Write-Poller", "Master-Poller"),
        EVENT_LOOP("event loops: requests, PostgreSQL's client", "vert.x-eventloo"),
        STORE("S3 client's loop", "waybill-s3"),
        OTHER("the rest of the service");

        private final String words;
        private final List<String> names;

        Kind(String words, String... names) {
            this.words = words;
            this.names = List.of(names);
        }

        String words() {
            return words;
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

    /** @return what the living threads of that process have used since they began */
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
            // It has ended since; what it used is in nobody's line.
        }
    }

    /** @return what was used since {@code before} */
    ThreadCpuTimes since(ThreadCpuTimes before) {
        Map<Kind, Double> used = new EnumMap<>(Kind.class);
        seconds.forEach((kind, now) -> used.put(kind, now - before.of(kind)));
        return new ThreadCpuTimes(used);
    }

    double of(Kind kind) {
        return seconds.getOrDefault(kind, 0.0);
    }
}
