package dev.waybill.local.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import org.postgresql.PGConnection;

import dev.waybill.local.bench.Figure.Pair;
import dev.waybill.local.client.RunsMultipart;
import dev.waybill.local.stack.ServiceKind;

/** What runs cost on their way in, against COPY of the very same rows into a table with the same indexes. */
final class Intake {

    private static final int BATCH = 100;

    private final Bench bench;
    private final List<Pair> pairs = new ArrayList<>();

    Intake(Bench bench) {
        this.bench = bench;
        execute("CREATE SCHEMA bench; CREATE TABLE bench.runs (LIKE trace.runs INCLUDING ALL);"
                + "ALTER TABLE bench.runs SET (autovacuum_enabled = false);"
                + "ALTER TABLE trace.runs SET (autovacuum_enabled = false)");
    }

    List<Figure> measure() {
        for (int round = 0; round <= bench.options.pairs(); round++) {
            round(round);
        }
        execute("DROP SCHEMA bench CASCADE");
        return List.of(Figure.ofPairs("intake",
                "rows per CPU-second by POST /runs/multipart (100 runs, gzip), over COPY FROM of the same rows", pairs,
                pair -> pair.theirs() / pair.ours(), Goal.AT_LEAST, 0.25));
    }

    private void round(int round) {
        String session = "bench-intake-" + round;
        execute("CHECKPOINT");
        Stopwatch watch = bench.watch(ServiceKind.EXPERIMENT);
        send(session, bench.generator(1000 + round));
        Effort ours = watch.stop(0);
        Path rows = bench.folder.resolve("intake.rows");
        long saved = save(session, rows);
        if (saved != bench.options.intakeRows()) {
            throw new IllegalStateException(saved + " rows came in");
        }
        execute("CHECKPOINT");
        Effort theirs = bench.worker.run("copy-in", bench.stack.superuserUrl(), "COPY bench.runs FROM STDIN (FORMAT binary)",
                rows.toString());
        delete(rows);
        bench.say("%s intake %.2f (service %.2f, PostgreSQL %.2f), COPY FROM %.2f (client %.2f, PostgreSQL %.2f)",
                Bench.round(round), ours.seconds(), ours.program(), ours.postgres(), theirs.seconds(),
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

    /** @return how many rows of the session are in the file now, as COPY takes them */
    private long save(String session, Path file) {
        try (Connection connection = DriverManager.getConnection(bench.stack.superuserUrl());
                OutputStream out = Files.newOutputStream(file)) {
            return connection.unwrap(PGConnection.class).getCopyAPI().copyOut("COPY (SELECT r.* FROM trace.runs r "
                    + "JOIN trace.sessions s ON s.tenant_id = r.tenant_id AND s.id = r.session_id WHERE s.name = '" + session
                    + "') TO STDOUT (FORMAT binary)", out);
        } catch (SQLException | IOException e) {
            throw new IllegalStateException("the rows could not be saved", e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(bench.stack.superuserUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
