package dev.waybill.experiment.session;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

import dev.waybill.common.database.Database;
import dev.waybill.common.database.ReactiveDatabase;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.session.RunStatisticsRepository.RunStatistics;
import dev.waybill.experiment.summary.RandomRuns;
import dev.waybill.experiment.summary.RunSummaryReader;

/** Statistics from summaries equal those of all runs, which the same snapshot reads. */
class SummarizedStatisticsTest {

    private static final List<String> DUMPED_TABLES = List.of("sessions", "runs", "run_places", "run_summaries",
            "run_summary_changes", "run_summary_progress", "run_daily_summaries", "run_summary_days");

    private final RunStatisticsRepository statistics = new RunStatisticsRepository(new RunSummaryReader(new Blocking()));
    private RandomRuns runs;

    @BeforeEach
    void createDatabase() throws SQLException {
        runs = new RandomRuns(20261129);
    }

    @AfterEach
    void close() throws SQLException {
        runs.close();
    }

    @Test
    void equalStatisticsOfAllRunsAfterRandomChanges() throws SQLException {
        compareAfterChanges(20);
    }

    @Tag("full")
    @Test
    void equalStatisticsOfAllRunsAfterManyChanges() throws SQLException {
        compareAfterChanges(150);
    }

    private void compareAfterChanges(int rounds) throws SQLException {
        for (int round = 0; round < rounds; round++) {
            // When
            for (int i = 0; i < 8; i++) {
                runs.change();
            }
            if (round % 3 > 0) {
                runs.summarizeSome();
            }

            // Then
            compare(1e-9);
        }
        runs.summarizeAll();
        compare(1e-9);
    }

    @Test
    void percentilesOfManyRunsAreWithinOnePercent() throws SQLException {
        // Given
        runs.insertMany(3_000);
        runs.endAllHours();

        // When
        runs.summarizeAll();

        // Then
        assertThat(Rows.value(runs.target().superuser(), "SELECT max(runs) FROM trace.run_summaries")).isEqualTo("3000");
        compare(0.01);
    }

    @Test
    void percentilesOfManyHoursWithoutSummaryAreExact() throws SQLException {
        // Given: a summary of one hour, and more runs in other hours than a summary of one hour has exactly
        runs.insertMany(90);
        runs.endAllHours();
        runs.summarizeAll();

        // When
        for (int hour = 1; hour < 4; hour++) {
            runs.insertMany(90, RandomRuns.START.plus(Duration.ofHours(hour)));
        }

        // Then
        compare(1e-9);
        runs.summarizeAll();
        compare(1e-9);
    }

    @Test
    void equalStatisticsOfAllRunsDuringConcurrentChanges() throws Exception {
        // Given
        for (int i = 0; i < 200; i++) {
            runs.change();
        }
        runs.endAllHours();

        // When
        try (ExecutorService writers = Executors.newFixedThreadPool(3)) {
            List<Future<?>> written = new ArrayList<>();
            for (int writer = 0; writer < 3; writer++) {
                written.add(writers.submit(this::writeConcurrently));
            }

            // Then
            while (!written.stream().allMatch(Future::isDone)) {
                runs.summarizeSome();
                compare(1e-9);
            }
            for (Future<?> done : written) {
                done.get();
            }
        }
        runs.summarizeAll();
        compare(1e-9);
    }

    @Test
    void restoredDumpHasTheStatisticsOfItsRuns() throws Exception {
        // Given
        for (int i = 0; i < 150; i++) {
            runs.change();
        }
        runs.endAllHours();
        runs.summarizeAll();
        for (int i = 0; i < 20; i++) {
            runs.change();
            runs.summarizeSome();
        }
        TestDatabase restored = TestDatabase.another();
        restored.migrate("experiment-service");
        restored.makeRunPartitions(RandomRuns.START.minus(Duration.ofDays(40)), RandomRuns.START.plus(Duration.ofDays(40)));

        // When
        try (Connection from = runs.target().superuser(); Connection to = restored.superuser()) {
            Rows.value(to, "SET session_replication_role = replica");
            for (String table : DUMPED_TABLES) {
                copy(table, from, to);
            }
        }

        // Then
        try (ReactiveDatabase database = new ReactiveDatabase(restored, "waybill_experiment")) {
            compare(database.database(), 1e-9);
        }
    }

    private static void copy(String table, Connection from, Connection to) throws SQLException, IOException {
        String columns = Rows.value(from, "SELECT string_agg(column_name, ', ' ORDER BY ordinal_position)"
                + " FROM information_schema.columns WHERE table_schema = 'trace' AND table_name = ? AND is_generated = 'NEVER'",
                table);
        StringWriter rows = new StringWriter();
        from.unwrap(PGConnection.class).getCopyAPI()
                .copyOut("COPY (SELECT " + columns + " FROM trace." + table + ") TO STDOUT", rows);
        to.unwrap(PGConnection.class).getCopyAPI()
                .copyIn("COPY trace." + table + " (" + columns + ") FROM STDIN", new StringReader(rows.toString()));
    }

    @Test
    void deletionOfAllRunsDeletesTheSummaries() throws SQLException {
        // Given
        runs.insertMany(10);
        runs.endAllHours();
        runs.summarizeAll();

        // When
        try (Connection connection = runs.target().superuser()) {
            Rows.value(connection, "DELETE FROM trace.runs");
            runs.summarizeAll();

            // Then
            assertThat(Rows.value(connection, "SELECT count(*) FROM trace.run_summaries")).isEqualTo("0");
            assertThat(Rows.value(connection, "SELECT count(*) FROM trace.run_summary_changes")).isEqualTo("0");
            assertThat(Rows.value(connection, "SELECT count(*) FROM trace.run_daily_summaries")).isEqualTo("0");
            assertThat(Rows.value(connection, "SELECT count(*) FROM trace.run_summary_days")).isEqualTo("0");
        }
        compare(1e-9);
    }

    // Each transaction moves or changes some runs, and its changes become visible later.
    private Void writeConcurrently() throws SQLException {
        try (Connection connection = runs.target().superuser()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < 60; i++) {
                Rows.value(connection,
                        """
                                WITH changed AS (SELECT tenant_id, id FROM trace.run_places TABLESAMPLE BERNOULLI (3) FOR UPDATE SKIP LOCKED),
                                moved AS (
                                    UPDATE trace.run_places p SET start_time = start_time + (random() - 0.5) * interval '3 hours'
                                    FROM changed c WHERE p.tenant_id = c.tenant_id AND p.id = c.id RETURNING p.*)
                                UPDATE trace.runs r SET start_time = m.start_time, total_tokens = (random() * 5)::int, end_time = now()
                                FROM moved m WHERE r.tenant_id = m.tenant_id AND r.id = m.id
                                """);
                Rows.value(connection, "SELECT pg_sleep(random() * 0.02)");
                connection.commit();
            }
        }
        return null;
    }

    private void compare(double tolerance) {
        compare(runs.database(), tolerance);
    }

    private void compare(Database database, double tolerance) {
        UUID[] sessions = runs.sessions().toArray(UUID[]::new);
        for (UUID tenant : runs.tenants()) {
            List<Map<UUID, RunStatistics>> both = await(database.inWorkspaceSnapshot(tenant,
                    connection -> statistics.find(connection, tenant, sessions)
                            .chain(actual -> RunStatisticsRepository.findExact(connection, tenant, sessions)
                                    .map(expected -> List.of(actual, expected)))));
            assertThat(both.getFirst()).usingRecursiveComparison(comparison(tolerance)).isEqualTo(both.getLast());
        }
    }

    private static RecursiveComparisonConfiguration comparison(double tolerance) {
        return RecursiveComparisonConfiguration.builder()
                .withComparatorForType(BigDecimal::compareTo, BigDecimal.class)
                .withEqualsForType((actual, expected) -> Math.abs(actual - expected) <= 1e-9 + tolerance * Math.abs(expected),
                        Double.class)
                .build();
    }
}
