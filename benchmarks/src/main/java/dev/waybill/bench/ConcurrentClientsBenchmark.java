package dev.waybill.bench;

import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

import dev.waybill.client.RunsMultipart;
import dev.waybill.client.WaybillException;
import dev.waybill.local.stack.CpuTime;
import dev.waybill.local.stack.JavaHeap;
import dev.waybill.local.stack.ServiceKind;

/**
 * Sends batches from 100 concurrent clients for a minute; each client sends the next batch after the response. Checks
 * that no batch is rejected and that the memory of the service does not grow.
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
        Duration total = Duration.ofSeconds(bench.options.clientSeconds());
        List<Double> heaps = new ArrayList<>();
        List<Double> residents = new ArrayList<>();
        for (int quarter = 0; quarter < QUARTERS; quarter++) {
            sendFor(total.dividedBy(QUARTERS));
            heaps.add(JavaHeap.used(service()) / MIB);
            residents.add(resident());
        }
        bench.print("clients %,d runs of %d clients in %d s, %d errors; in MiB after each quarter: heap after collection %s,"
                + " resident %s", runs.get(), CLIENTS, total.toSeconds(), errors.get(), rounded(heaps), rounded(residents));
        return List.of(
                BenchmarkResult.ofValues("clients",
                        CLIENTS + " concurrent clients for " + total.toSeconds() + " s: rejected batches",
                        "", List.of((double) errors.get()), 0.5, Goal.AT_MOST, 0),
                BenchmarkResult.ofValues("clients heap",
                        "heap of the service after a collection at the end, over its earlier maximum",
                        "",
                        List.of(growth(heaps)), 0.5, Goal.AT_MOST, 1.2),
                // The JVM does not return heap memory to the system, so only the heap has a goal.
                BenchmarkResult.ofValues("clients RSS", "resident memory at the end, over its earlier maximum", "",
                        List.of(growth(residents)), 0.5, Goal.NONE, 0));
    }

    private static List<Long> rounded(List<Double> mebibytes) {
        return mebibytes.stream().map(Math::round).toList();
    }

    // Reusable buffers vary by some MiB; a leak would exceed all earlier values at the end.
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
                bench.client.traces(service).postRunsMultipart(batch);
                runs.addAndGet(BATCH);
            } catch (WaybillException | UncheckedIOException e) {
                if (errors.getAndIncrement() == 0) {
                    bench.print("clients %s", e);
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
