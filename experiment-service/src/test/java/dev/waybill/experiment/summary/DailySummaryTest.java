package dev.waybill.experiment.summary;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.testing.Patience;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.summary.RunSummaryRepository.SessionHours;
import io.smallrye.mutiny.Uni;

class DailySummaryTest {

    private static final Instant DAY = RandomRuns.START.truncatedTo(ChronoUnit.DAYS);

    private RandomRuns runs;
    private Connection connection;
    private UUID tenant;
    private UUID session;

    @BeforeEach
    void insertRuns() throws SQLException {
        runs = new RandomRuns(7);
        connection = runs.target().superuser();
        tenant = runs.tenants().getFirst();
        session = runs.sessions().getFirst();
        runs.insertMany(20);
        runs.endAllHours();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        runs.close();
    }

    @Test
    void wholeDaysAreReadFromDailySummaries() throws SQLException {
        // Given
        runs.summarizeAll();

        // When
        Rows.value(connection, "UPDATE trace.run_summaries SET runs = 1000");

        // Then
        assertThat(countRuns(null, Buckets.ONE)).isEqualTo(20);
        assertThat(countRuns(DAY, new Buckets(0, Buckets.DAY))).isEqualTo(20);
        assertThat(countRuns(DAY.plusSeconds(3_600), Buckets.ONE)).isEqualTo(1_000);
        assertThat(countRuns(null, new Buckets(0, Buckets.HOUR))).isEqualTo(1_000);
    }

    @Test
    void changedDayIsReadFromHoursUntilItIsMerged() throws SQLException {
        // Given
        Rows.value(connection, "UPDATE trace.runs SET start_time = start_time + interval '3 hours'"
                + " WHERE id = (SELECT max(id::text)::uuid FROM trace.runs)");
        runs.summarizeAll();
        assertThat(dailyRuns()).isEqualTo("20");

        // When
        Rows.value(connection, "DELETE FROM trace.runs WHERE id = (SELECT min(id::text)::uuid FROM trace.runs)");
        assertThat(countRuns(null, Buckets.ONE)).isEqualTo(19);
        runs.summarizeHours();

        // Then
        assertThat(dailyRuns()).isNull();
        assertThat(countRuns(null, Buckets.ONE)).isEqualTo(19);
        runs.summarizeAll();
        assertThat(dailyRuns()).isEqualTo("19");
        assertThat(countRuns(null, Buckets.ONE)).isEqualTo(19);
        assertThat(Rows.value(connection, "SELECT count(*) FROM trace.run_summary_days")).isEqualTo("0");
    }

    @Test
    void dayWithHoursThatWereNotFoundIsNotMerged() throws SQLException {
        // Given
        runs.summarizeHours();
        Rows.value(connection, "UPDATE trace.run_summary_progress SET until = ?::timestamptz",
                RandomRuns.START.toString());

        // When
        summarizeDay();

        // Then
        assertThat(dailyRuns()).isNull();
        runs.summarizeAll();
        assertThat(dailyRuns()).isEqualTo("20");
    }

    @Test
    void dayThatAnotherReplicaMergedIsNotMergedAgain() throws SQLException {
        // Given: both replicas have found the day
        runs.summarizeHours();
        summarizeDay();
        String merged = Rows.value(connection, "SELECT xmin FROM trace.run_daily_summaries");

        // When
        summarizeDay();

        // Then
        assertThat(Rows.value(connection, "SELECT xmin FROM trace.run_daily_summaries")).isEqualTo(merged);
        assertThat(dailyRuns()).isEqualTo("20");
    }

    @Test
    void hoursThatChangeDuringMergeAreMergedAgain() throws SQLException {
        // Given
        runs.summarizeHours();
        Rows.value(connection, "DELETE FROM trace.runs WHERE id = (SELECT id FROM trace.runs ORDER BY id LIMIT 1)");
        AtomicInteger attempts = new AtomicInteger();
        DailySummaryRepository days = new DailySummaryRepository(new Blocking());

        // When
        await(runs.database().inWorkspaceRepeatableRead(tenant,
                older -> older.query("SELECT count(*) FROM trace.runs").execute()
                        .chain(() -> attempts.incrementAndGet() > 1 ? Uni.createFrom().voidItem()
                                : new Blocking().run(() -> runs.summarizeHours()))
                        .chain(() -> days.summarize(older, day()))));

        // Then
        assertThat(attempts).hasValue(2);
        assertThat(dailyRuns()).isEqualTo("19");
    }

    @Test
    void mergeThatLosesItsConnectionIsRepeated() throws SQLException {
        // Given
        runs.summarizeHours();
        DailySummaryRepository days = new DailySummaryRepository(new Blocking());

        // When: after all statements, as if the process was killed before the commit
        assertThatThrownBy(() -> await(runs.database().inWorkspaceRepeatableRead(tenant,
                transaction -> days.summarize(transaction, day())
                        .chain(() -> transaction.query("SELECT pg_terminate_backend(pg_backend_pid())").execute()))))
                .isNotNull();

        // Then
        assertThat(dailyRuns()).isNull();
        assertThat(Rows.value(connection, "SELECT count(*) FROM trace.run_summary_days")).isEqualTo("1");
        // The pool returns the connection until it has noticed its end.
        Patience.await().ignoreExceptions().until(() -> countRuns(null, Buckets.ONE) == 20);
        runs.summarizeAll();
        assertThat(dailyRuns()).isEqualTo("20");
    }

    @Test
    void usageOfRunThatEndedBeforeItsDescendantsCountsOnce() throws SQLException {
        // Given
        makeFirstRunTheEndedParentOfOthers();

        // When
        runs.summarizeAll();

        // Then
        assertThat(Rows.value(connection, "SELECT usage[1] FROM trace.run_daily_summaries")).isEqualTo("19");
        assertThat(Rows.value(connection, "SELECT sum(usage[1]) FROM trace.run_summaries")).isEqualTo("24");
    }

    @Test
    void hoursOfRunsThatEndedBeforeTheirDescendantsAreUsed() throws SQLException {
        // Given: sums by which summaries can be distinguished from their runs
        makeFirstRunTheEndedParentOfOthers();
        runs.summarizeHours();
        Rows.value(connection, "UPDATE trace.run_summaries SET runs = runs + 100");

        // Then
        long hours = Long.parseLong(Rows.value(connection, "SELECT count(*) FROM trace.run_summaries"));
        assertThat(hours).isGreaterThan(1);
        assertThat(countRuns(null, Buckets.ONE)).isEqualTo(20 + 100 * hours);
        assertThat(totalTokens()).isEqualTo(19);
    }

    @Test
    void daysThatHaveNotEndedAreDeletedAfterClockSteps() throws SQLException {
        // Given: a day that was merged when the clock was ahead and does not end during the test, without current hours
        runs.summarizeAll();
        Rows.value(connection,
                "UPDATE trace.run_daily_summaries SET day = date_trunc('day', now() + interval '1 hour', 'UTC')");

        // When
        await(runs.database().everyWorkspace(new RunSummaryRepository()::deleteCurrent));

        // Then
        assertThat(dailyRuns()).isNull();
        assertThat(Rows.value(connection, "SELECT day > now() - interval '24 hours' FROM trace.run_summary_days"))
                .isEqualTo("t");
    }

    private void makeFirstRunTheEndedParentOfOthers() throws SQLException {
        UUID parent = UUID.fromString(Rows.value(connection, "SELECT id FROM trace.runs ORDER BY id LIMIT 1"));
        Rows.value(connection, "UPDATE trace.runs SET end_time = start_time, total_tokens = 5 WHERE id = ?", parent);
        Rows.value(connection, "UPDATE trace.runs SET start_time = start_time + interval '2 hours', total_tokens = 1,"
                + " parent_run_id = ?, parent_run_ids = ARRAY[?] WHERE id <> ?", parent, parent, parent);
        Rows.value(connection, "UPDATE trace.run_places p SET start_time = r.start_time FROM trace.runs r WHERE r.id = p.id");
    }

    private SessionHours day() {
        return new SessionHours(tenant, session, new OffsetDateTime[] { DAY.atOffset(ZoneOffset.UTC) }, false);
    }

    private void summarizeDay() {
        DailySummaryRepository days = new DailySummaryRepository(new Blocking());
        await(runs.database().inWorkspaceRepeatableRead(tenant, transaction -> days.summarize(transaction, day())));
    }

    private String dailyRuns() throws SQLException {
        return Rows.value(connection, "SELECT sum(runs) FROM trace.run_daily_summaries");
    }

    /** Returns the number of runs since a time; null for all. */
    private long countRuns(@Nullable Instant from, Buckets buckets) {
        return figures(from, buckets).stream().mapToLong(found -> found.all().runs()).sum();
    }

    private long totalTokens() {
        return figures(null, Buckets.ONE).stream()
                .mapToLong(found -> Objects.requireNonNullElse(found.all().usage().tokens(0), 0L))
                .sum();
    }

    private Collection<RunFigures> figures(@Nullable Instant from, Buckets buckets) {
        RunSummaryReader reader = new RunSummaryReader(new Blocking());
        BucketFigures figures = await(runs.database().inWorkspaceSnapshot(tenant,
                transaction -> reader.find(transaction, tenant, List.of(session), from, null, buckets, DurationSelection.ALL)));
        return figures.bySession().getOrDefault(session, Map.of()).values();
    }
}
