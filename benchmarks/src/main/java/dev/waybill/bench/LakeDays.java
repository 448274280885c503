package dev.waybill.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.storage.Folders;
import dev.waybill.local.storage.Wait;
import dev.waybill.local.traces.RunGenerator;

/** Ten closed days of one session in PostgreSQL and in the lake. */
final class LakeDays implements AutoCloseable {

    /** Half of the days are in the next month, so that two connections load the runs. */
    static final LocalDate FIRST = LocalDate.of(2026, 4, 26);
    static final int DAYS = 10;

    private static final String PREFIX = "bench-lake/";
    private static final int RARE_RUNS = 20;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
    private static final Duration TIMEOUT = Duration.ofMinutes(30);

    private final BenchmarkContext bench;
    private final UUID session;

    /** Truncates the table and loads the runs. Export-service compacts days from then on. */
    LakeDays(BenchmarkContext bench) {
        this.bench = bench;
        // The first pass of its planning finds no day, so that exports can be measured before the compactions.
        execute("TRUNCATE trace.runs, trace.run_places");
        execute("UPDATE lake.planning SET next_pass_at = now()");
        bench.restart(ServiceKind.EXPORT, Map.of("waybill.lake.bucket", Stack.BUCKET, "waybill.lake.prefix", PREFIX,
                "waybill.lake.close-after", "1s"));
        await("SELECT count(*) > 0 FROM lake.planning WHERE next_pass_at > now()");
        execute("UPDATE lake.planning SET next_pass_at = now() + interval '59 minutes'");
        List<RunGenerator> generators = IntStream.range(0, DAYS)
                .mapToObj(day -> new RunGenerator(bench.corpus, FIRST.plusDays(day), 5000 + day)).toList();
        bench.print("Loading %,d runs in %d days ...", rows(), DAYS);
        long startNanos = System.nanoTime();
        this.session = bench.table().replaceWithMany("bench-lake", generators, rows() / DAYS);
        addRareValues();
        bench.print("        in %.0f s; %s in PostgreSQL", (System.nanoTime() - startNanos) / 1e9,
                value("SELECT pg_size_pretty(sum(pg_total_relation_size(relid))) FROM pg_partition_tree('trace.runs')"));
    }

    UUID session() {
        return session;
    }

    int rows() {
        return bench.options.lakeRows() / DAYS * DAYS;
    }

    Instant start() {
        return FIRST.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    Instant end() {
        return start().plus(Duration.ofDays(DAYS));
    }

    /** Returns the properties of services that read these days. */
    static Map<String, String> readerProperties(Path cache, long cacheBytes) {
        return Map.of("waybill.lake.bucket", Stack.BUCKET, "waybill.lake.prefix", PREFIX, "waybill.lake.cache.directory",
                cache.toString(), "waybill.lake.cache.max-bytes", Long.toString(cacheBytes));
    }

    private void addRareValues() {
        int every = Math.max(1, rows() / RARE_RUNS);
        execute("""
                UPDATE trace.runs AS r SET %1$s
                FROM (SELECT start_time, id, row_number() OVER (ORDER BY start_time, id) AS n FROM trace.runs
                    WHERE tenant_id = '%2$s' AND session_id = '%3$s') AS numbered
                WHERE r.tenant_id = '%2$s' AND r.session_id = '%3$s' AND r.start_time = numbered.start_time
                    AND r.id = numbered.id AND n %% %4$d = %4$d / 2
                """.formatted(LakeQuestion.RARE_VALUES, bench.tenantId, session, every));
        execute("VACUUM (ANALYZE) trace.runs");
        execute("CHECKPOINT");
    }

    /** Waits until all hours and days with runs are summarized. */
    void awaitSummaries() {
        await("SELECT (SELECT count(*) FROM trace.run_summary_changes) = 0 AND (SELECT sum(runs) FROM trace.run_daily_summaries"
                + " WHERE session_id = '" + session + "') = " + rows());
    }

    /** Compacts all days, again if they are in the lake already. */
    CpuUsage compact() {
        execute("CHECKPOINT");
        CpuStopwatch watch = bench.startStopwatch(ServiceKind.EXPORT);
        execute("UPDATE lake.compactions SET state = 'pending', pending_since = now(), attempts = 0, next_attempt_at = now()");
        execute("UPDATE lake.planning SET next_pass_at = now()");
        await("SELECT count(*) = " + DAYS + " FROM lake.compactions WHERE state = 'compacted'");
        return watch.stop(0);
    }

    /** Returns the paths of the files as a list of DuckDB. */
    String files() {
        return "[" + String.join(", ", paths().stream().map(path -> "'" + path + "'").toList()) + "]";
    }

    /** Returns the paths of the files. */
    List<String> paths() {
        Path bucket = bench.stack.s3().directory().resolve(Stack.BUCKET);
        return values("SELECT key FROM lake.files WHERE key LIKE '%.parquet' ORDER BY key").stream()
                .map(key -> bucket.resolve(key).toString())
                .toList();
    }

    /** Returns the size of the files. */
    long bytes() {
        return paths().stream().mapToLong(path -> size(Path.of(path))).sum();
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void await(String condition) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        // A connection for each attempt would count as CPU time of PostgreSQL.
        try (Connection connection = connect()) {
            while (!values(connection, condition).equals(List.of("t"))) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("not true after " + TIMEOUT + ": " + condition);
                }
                Wait.sleep(POLL_INTERVAL);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the first value of the first row. */
    String value(String sql) {
        return values(sql).getFirst();
    }

    private List<String> values(String sql) {
        try (Connection connection = connect()) {
            return values(connection, sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> values(Connection connection, String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                values.add(result.getString(1));
            }
        }
        return values;
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(bench.stack.superuserUrl());
    }

    void execute(String sql) {
        try (Connection connection = connect(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Removes the lake, so that later benchmarks run without it. */
    @Override
    public void close() {
        bench.restart(ServiceKind.EXPORT, Map.of());
        execute("TRUNCATE trace.runs, trace.run_places, trace.lake_days, trace.lake_changes, lake.obsolete_files");
        execute("TRUNCATE lake.files, lake.compactions");
        Folders.delete(bench.stack.s3().directory().resolve(Stack.BUCKET).resolve(PREFIX));
    }
}
