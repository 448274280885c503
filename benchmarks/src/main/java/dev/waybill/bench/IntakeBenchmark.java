package dev.waybill.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.local.stack.ServiceKind;

/** Compares the CPU time of run intake with COPY of the same rows into a table with the same indexes. */
final class IntakeBenchmark {

    /** Rounds before the first measured round, until the JIT compiler has compiled most of the code. */
    private static final int WARM_UP_ROUNDS = 3;

    private final BenchmarkContext bench;
    private final RunSender sender;
    private final BaselineTables baseline;
    private final List<Pair> pairs = new ArrayList<>();

    IntakeBenchmark(BenchmarkContext bench) {
        this.bench = bench;
        this.sender = new RunSender(bench);
        this.baseline = new BaselineTables(bench.stack.superuserUrl(), "bench", "runs");
        bench.table().disableAutovacuum();
    }

    List<BenchmarkResult> measure() {
        for (int sent = 0; sent < WARM_UP_ROUNDS; sent++) {
            sender.send("bench-intake-warm", bench.generator(900 + sent));
        }
        for (int round = 0; round <= bench.options.pairs(); round++) {
            round(round);
        }
        baseline.close();
        return List.of(BenchmarkResult.ofPairs("intake",
                "rows per CPU-second by POST /runs/multipart (100 runs, gzip), over COPY FROM of the same rows", pairs,
                pair -> pair.reference() / pair.waybill(), Goal.AT_LEAST, 0.35));
    }

    private void round(int round) {
        String session = "bench-intake-" + round;
        baseline.execute("CHECKPOINT");
        CpuStopwatch watch = bench.startStopwatch(ServiceKind.EXPERIMENT);
        sender.send(session, bench.generator(1000 + round));
        CpuUsage waybill = watch.stop(0);
        Path rows = bench.folder.resolve("intake.rows");
        long saved = baseline.save("SELECT r.* FROM trace.runs r JOIN trace.sessions s ON s.tenant_id = r.tenant_id"
                + " AND s.id = r.session_id WHERE s.name = '" + session + "'", rows);
        if (saved != bench.options.intakeRows()) {
            throw new IllegalStateException(saved + " rows were stored");
        }
        baseline.execute("CHECKPOINT");
        CpuUsage reference = bench.worker.run("copy-in", bench.stack.superuserUrl(), baseline.copyIn("runs"),
                rows.toString());
        delete(rows);
        bench.print("%s intake %.2f (service %.2f, PostgreSQL %.2f), COPY FROM %.2f (client %.2f, PostgreSQL %.2f)",
                BenchmarkContext.round(round), waybill.seconds(), waybill.program(), waybill.postgres(), reference.seconds(),
                reference.program(), reference.postgres());
        if (round > 0) {
            pairs.add(new Pair(waybill.seconds(), reference.seconds()));
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
