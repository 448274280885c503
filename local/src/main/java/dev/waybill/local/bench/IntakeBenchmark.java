package dev.waybill.local.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.waybill.local.bench.BenchmarkResult.Pair;
import dev.waybill.local.client.RunsMultipart;
import dev.waybill.local.stack.ServiceKind;

/** What runs cost on their way in, against COPY of the very same rows into one table with the same indexes. */
final class IntakeBenchmark {

    private static final int BATCH = 100;

    /** Sent before the first round, until the compiler has nearly done its work: a service takes traces for weeks. */
    private static final int WARMING = 3;

    private final BenchmarkContext bench;
    private final BaselineTables floor;
    private final List<Pair> pairs = new ArrayList<>();

    IntakeBenchmark(BenchmarkContext bench) {
        this.bench = bench;
        this.floor = new BaselineTables(bench.stack.superuserUrl(), "bench", "runs");
        bench.table().stopVacuuming();
    }

    List<BenchmarkResult> measure() {
        for (int sent = 0; sent < WARMING; sent++) {
            send("bench-intake-warm", bench.generator(900 + sent));
        }
        for (int round = 0; round <= bench.options.pairs(); round++) {
            round(round);
        }
        floor.close();
        return List.of(BenchmarkResult.ofPairs("intake",
                "rows per CPU-second by POST /runs/multipart (100 runs, gzip), over COPY FROM of the same rows", pairs,
                pair -> pair.theirs() / pair.ours(), Goal.AT_LEAST, 0.35));
    }

    private void round(int round) {
        String session = "bench-intake-" + round;
        floor.execute("CHECKPOINT");
        CpuStopwatch watch = bench.watch(ServiceKind.EXPERIMENT);
        send(session, bench.generator(1000 + round));
        CpuUsage ours = watch.stop(0);
        Path rows = bench.folder.resolve("intake.rows");
        long saved = floor.save("SELECT r.* FROM trace.runs r JOIN trace.sessions s ON s.tenant_id = r.tenant_id"
                + " AND s.id = r.session_id WHERE s.name = '" + session + "'", rows);
        if (saved != bench.options.intakeRows()) {
            throw new IllegalStateException(saved + " rows came in");
        }
        floor.execute("CHECKPOINT");
        CpuUsage theirs = bench.worker.run("copy-in", bench.stack.superuserUrl(), floor.copyIn("runs"),
                rows.toString());
        delete(rows);
        bench.say("%s intake %.2f (service %.2f, PostgreSQL %.2f), COPY FROM %.2f (client %.2f, PostgreSQL %.2f)",
                BenchmarkContext.round(round), ours.seconds(), ours.program(), ours.postgres(), theirs.seconds(),
                theirs.program(), theirs.postgres());
        if (round > 0) {
            pairs.add(new Pair(ours.seconds(), theirs.seconds()));
        }
    }

    private void send(String session, RunGenerator generator) {
        URI service = bench.stack.service(ServiceKind.EXPERIMENT).address();
        RunsMultipart[] batch = { new RunsMultipart() };
        generator.generate(bench.options.intakeRows(), run -> {
            batch[0].post(run.toJson(session));
            if (batch[0].runs() == BATCH) {
                bench.client.postRuns(service, batch[0]);
                batch[0] = new RunsMultipart();
            }
        });
        if (batch[0].runs() > 0) {
            bench.client.postRuns(service, batch[0]);
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
