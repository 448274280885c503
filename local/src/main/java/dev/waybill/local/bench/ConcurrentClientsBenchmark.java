package dev.waybill.local.bench;

import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

import dev.waybill.local.client.RunsMultipart;
import dev.waybill.local.client.WaybillException;
import dev.waybill.local.stack.ServiceKind;

/**
 * A hundred clients that send batches for a minute, each the next one as soon as it is answered: none is refused, and the
 * service holds no more memory at the end than before.
 */
final class ConcurrentClientsBenchmark {

    private static final int CLIENTS = 100;
    private static final int BATCH = 20;
    private static final int QUARTERS = 4;
    private static final double MIB = 1024.0 * 1024;

    private final BenchmarkContext bench;
    private final AtomicLong runs = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong seeds = new AtomicLong(1_000_000);

    ConcurrentClientsBenchmark(BenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        Duration whole = Duration.ofSeconds(bench.options.clientSeconds());
        List<Double> heaps = new ArrayList<>();
        List<Double> residents = new ArrayList<>();
        for (int quarter = 0; quarter < QUARTERS; quarter++) {
            sendFor(whole.dividedBy(QUARTERS));
            heaps.add(JavaHeap.used(service()) / MIB);
            residents.add(resident());
        }
        bench.say("clients %,d runs of %d clients in %d s, %d errors; in MiB after each quarter: heap after collection %s,"
                + " resident %s", runs.get(), CLIENTS, whole.toSeconds(), errors.get(), rounded(heaps), rounded(residents));
        return List.of(
                BenchmarkResult.ofValues("clients",
                        CLIENTS + " clients at once for " + whole.toSeconds() + " s: batches that were not taken",
                        "", List.of((double) errors.get()), 0.5, Goal.AT_MOST, 0),
                BenchmarkResult.ofValues("clients heap", "what the service holds after a collection at the end, over the most before",
                        "",
                        List.of(growth(heaps)), 0.5, Goal.AT_MOST, 1.2),
                // A JVM takes what it may have of its heap and keeps it, so this grows for a while; what counts is the heap.
                BenchmarkResult.ofValues("clients RSS", "its resident memory at the end, over the most before", "",
                        List.of(growth(residents)), 0.5, Goal.NONE, 0));
    }

    private static List<Long> rounded(List<Double> mebibytes) {
        return mebibytes.stream().map(Math::round).toList();
    }

    // Buffers that are kept for reuse come and go, some MiB; what grows with the runs is more at the end than ever before.
    private static double growth(List<Double> quarters) {
        double before = quarters.subList(0, quarters.size() - 1).stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        return quarters.getLast() / before;
    }

    private void sendFor(Duration time) {
        long deadline = System.nanoTime() + time.toNanos();
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.execute(() -> sendUntil(deadline));
            }
        }
    }

    private void sendUntil(long deadline) {
        URI service = bench.stack.service(ServiceKind.EXPERIMENT).address();
        while (System.nanoTime() < deadline) {
            RunsMultipart batch = new RunsMultipart();
            bench.generator(seeds.incrementAndGet()).generate(BATCH, run -> batch.post(run.toJson("bench-clients")));
            try {
                bench.client.postRuns(service, batch);
                runs.addAndGet(BATCH);
            } catch (WaybillException | UncheckedIOException e) {
                if (errors.getAndIncrement() == 0) {
                    bench.say("clients %s", e);
                }
            }
        }
    }

    private double resident() {
        return CpuTime.memory(service()) / MIB;
    }

    private long service() {
        return bench.stack.service(ServiceKind.EXPERIMENT).pid();
    }
}
