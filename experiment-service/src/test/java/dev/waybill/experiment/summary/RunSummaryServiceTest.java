package dev.waybill.experiment.summary;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.testing.Patience;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.summary.RunSummaryRepository.SessionHours;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.mutiny.Uni;

class RunSummaryServiceTest {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private RandomRuns runs;
    private Connection connection;
    private RunSummaryService service;

    @BeforeEach
    void insertRuns() throws SQLException {
        runs = new RandomRuns(1);
        connection = runs.target().superuser();
        service = new RunSummaryService(runs.database(), new RunSummaryRepository(),
                new DailySummaryRepository(new Blocking()), new RunSummaryMetrics(meters));
        runs.insertMany(20);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        runs.close();
    }

    @Test
    void summarizesEndedHours() throws SQLException {
        // When
        summarizeOneHour();

        // Then
        assertThat(Rows.value(connection, "SELECT sum(runs) FROM trace.run_summaries")).isEqualTo("20");
        assertThat(Rows.value(connection, "SELECT sum(runs) FROM trace.run_daily_summaries")).isEqualTo("20");
        assertThat(count("run_summary_days")).isZero();
        assertThat(count("run_summary_changes")).isZero();
        assertThat(meters.counter("waybill.summaries.hours").count()).isPositive();
    }

    @Test
    void passMergesAllDaysOfASession() throws SQLException {
        // Given: summaries of hours of 45 earlier days
        summarizeOneHour();
        Rows.value(connection, "CREATE TEMPORARY TABLE hours AS SELECT * FROM trace.run_summaries");
        for (int day = 0; day < 45; day++) {
            Rows.value(connection, "UPDATE hours SET hour = hour - interval '1 day'");
            Rows.value(connection, "INSERT INTO trace.run_summaries SELECT * FROM hours");
        }
        assertThat(count("run_summary_days")).isEqualTo(45);

        // When
        await(service.summarize());

        // Then
        assertThat(count("run_daily_summaries")).isEqualTo(46);
        assertThat(count("run_summary_days")).isZero();
    }

    @Test
    void transactionInProgressDelaysSummaries() throws SQLException {
        // Given
        connection.setAutoCommit(false);
        Rows.value(connection, "SELECT pg_current_xact_id()");
        await(service.summarize());
        assertThat(count("run_summaries")).isZero();

        // When
        connection.commit();
        summarizeOneHour();

        // Then
        assertThat(count("run_summaries")).isEqualTo(1);
    }

    @Test
    void restartDoesNotHideTheLag() throws SQLException {
        // Given: the last hour was summarized long ago, and a transaction prevents the next one
        summarizeOneHour();
        Rows.value(connection, "UPDATE trace.run_summary_progress SET until = now() - interval '10 hours'");
        connection.setAutoCommit(false);
        Rows.value(connection, "SELECT pg_current_xact_id()");

        // When
        SimpleMeterRegistry restarted = new SimpleMeterRegistry();
        await(new RunSummaryService(runs.database(), new RunSummaryRepository(), new DailySummaryRepository(new Blocking()),
                new RunSummaryMetrics(restarted)).summarize());

        // Then
        assertThat(restarted.get("waybill.summaries.lag.seconds").gauge().value()).isGreaterThanOrEqualTo(36_000);
    }

    @Test
    void deletesSummariesOfASession() throws SQLException {
        // Given
        summarizeOneHour();
        UUID tenant = runs.tenants().getFirst();

        // When
        await(runs.database().inWorkspace(tenant,
                transaction -> RunSummaryService.delete(transaction, tenant, runs.sessions().getFirst())));

        // Then
        assertThat(count("run_summaries")).isZero();
        assertThat(count("run_daily_summaries")).isZero();
        assertThat(count("run_summary_days")).isZero();
        assertThat(count("run_summary_progress")).isZero();
    }

    @Test
    void summaryStoredAfterRemovalIsDeletedByNextPass() throws SQLException {
        // Given
        summarizeOneHour();
        UUID tenant = runs.tenants().getFirst();
        Rows.value(connection, "CREATE TEMPORARY TABLE stale AS SELECT * FROM trace.run_summaries");
        Rows.value(connection, "CREATE TEMPORARY TABLE stale_days AS SELECT * FROM trace.run_daily_summaries");
        Rows.value(connection, "DELETE FROM trace.runs");
        await(runs.database().inWorkspace(tenant,
                transaction -> RunSummaryService.delete(transaction, tenant, runs.sessions().getFirst())));
        Rows.value(connection, "INSERT INTO trace.run_summaries SELECT * FROM stale");
        Rows.value(connection, "INSERT INTO trace.run_daily_summaries SELECT * FROM stale_days");

        // When
        await(service.summarize());

        // Then
        assertThat(count("run_summaries")).isZero();
        assertThat(count("run_daily_summaries")).isZero();
        assertThat(count("run_summary_days")).isZero();
        assertThat(count("run_summary_changes")).isZero();
    }

    @Test
    void writerWithOlderSnapshotRepeats() throws SQLException {
        // Given
        UUID tenant = runs.tenants().getFirst();
        RunSummaryRepository repository = new RunSummaryRepository();
        SessionHours hours = new SessionHours(tenant, runs.sessions().getFirst(),
                new OffsetDateTime[] { RandomRuns.START.atOffset(ZoneOffset.UTC) }, false);
        AtomicInteger attempts = new AtomicInteger();

        // When
        await(runs.database().inWorkspaceRepeatableRead(tenant, older -> (attempts.incrementAndGet() > 1
                ? Uni.createFrom().voidItem()
                : runs.database().inWorkspace(tenant, other -> other.query("DELETE FROM trace.runs").execute())
                        .chain(() -> runs.database().inWorkspaceRepeatableRead(tenant,
                                newer -> repository.summarize(newer, hours)))
                        .replaceWithVoid())
                .chain(() -> repository.summarize(older, hours))));

        // Then
        assertThat(attempts).hasValue(2);
        assertThat(count("run_summaries")).isZero();
        assertThat(count("run_summary_changes")).isZero();
    }

    @Test
    void failingSessionDoesNotDelayOthers() throws SQLException {
        // Given
        for (int i = 0; i < 60; i++) {
            runs.change();
        }
        Rows.value(connection, """
                CREATE FUNCTION trace.fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE division_by_zero; END'""");
        Rows.value(connection, "CREATE TRIGGER fail BEFORE INSERT ON trace.run_summaries FOR EACH ROW WHEN (NEW.session_id = '"
                + Rows.value(connection, "SELECT min(session_id::text) FROM trace.runs") + "') EXECUTE FUNCTION trace.fail()");

        // When, Then: one pass as soon as the hours are closed
        Patience.await().untilAsserted(() -> {
            await(service.summarize());
            assertThat(Rows.value(connection, "SELECT count(DISTINCT session_id) FROM trace.run_summaries")).isEqualTo("2");
        });
    }

    @Tag("full")
    @Test
    void nextPassContinuesAfterTheLastChangedSession() throws SQLException {
        // Given: hours are closed, also if transactions of other databases are in progress from now on
        summarizeOneHour();
        String insertChanges = "INSERT INTO trace.run_summary_changes (tenant_id, session_id, hour) SELECT gen.tenant,"
                + " lpad(i::text, 32, '0')::uuid, '2026-11-02Z' FROM generate_series(1, 550) i,"
                + " (SELECT ?::uuid AS tenant) gen";
        UUID tenant = runs.tenants().getFirst();
        Rows.value(connection, "DELETE FROM trace.run_summary_changes");
        Rows.value(connection, insertChanges, tenant);
        await(service.summarize());
        assertThat(count("run_summary_changes")).isEqualTo(50);
        Rows.value(connection, insertChanges, tenant);

        // When
        await(service.summarize());

        // Then
        assertThat(count("run_summary_changes")).isEqualTo(500);
    }

    // Transactions of other databases of the server delay summaries as well.
    private void summarizeOneHour() {
        Patience.await().until(() -> {
            await(service.summarize());
            return count("run_summaries") == 1;
        });
    }

    private long count(String table) throws SQLException {
        return Long.parseLong(Rows.value(connection, "SELECT count(*) FROM trace." + table));
    }
}
