package dev.waybill.experiment.retention;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.api.trace.RetentionResponse.TierRetention;
import dev.waybill.common.database.ReactiveDatabase;
import dev.waybill.common.testing.Patience;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.experiment.Rows;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;

/** Uses a separate database and the service's role, because retention affects every workspace. */
class RetentionTest {

    private static final Duration MONTH = Duration.ofDays(30);
    private static final Duration YEAR = Duration.ofDays(365);

    private static TestDatabase database;
    private static ReactiveDatabase serviceDatabase;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Connection connection;

    @BeforeAll
    static void migrate() {
        database = TestDatabase.another();
        database.migrate("experiment-service");
        serviceDatabase = new ReactiveDatabase(database, "waybill_experiment");
    }

    @AfterAll
    static void close() {
        serviceDatabase.close();
    }

    @BeforeEach
    void connect() {
        connection = database.superuser();
    }

    @AfterEach
    void truncate() throws SQLException {
        for (String table : List.of("sessions", "runs", "run_places", "feedback", "attachments")) {
            Rows.value(connection, "TRUNCATE trace." + table);
        }
        connection.close();
    }

    @Test
    void keepsEverythingWithoutARetention() throws SQLException {
        // Given
        UUID session = session("shortlived");
        runs(session, 10, 3650, 3650);

        // When
        await(retention(null, null, 100).deleteExpired());

        // Then
        assertThat(countRuns(session)).isEqualTo(10);
    }

    @Test
    void deletesExpiredRunsByTier() throws SQLException {
        // Given
        UUID shortlived = session("shortlived");
        UUID longlived = session("longlived");
        for (UUID session : List.of(shortlived, longlived)) {
            runs(session, 2, 29, 29);
            runs(session, 3, 31, 31);
            runs(session, 4, 366, 366);
        }

        // When
        await(retention(MONTH, YEAR, 100).deleteExpired());

        // Then
        assertThat(countRuns(shortlived)).isEqualTo(2);
        assertThat(countRuns(longlived)).isEqualTo(5);
        assertThat(meters.counter("waybill.retention.runs", "tier", "shortlived").count()).isEqualTo(7);
        assertThat(meters.counter("waybill.retention.runs", "tier", "longlived").count()).isEqualTo(4);
    }

    @Test
    void keepsATierWithoutARetention() throws SQLException {
        // Given
        UUID longlived = session("longlived");
        runs(longlived, 4, 3650, 3650);

        // When
        await(retention(MONTH, null, 100).deleteExpired());

        // Then
        assertThat(countRuns(longlived)).isEqualTo(4);
    }

    @Test
    void changedTierAppliesToStoredRuns() throws SQLException {
        // Given
        UUID session = session("longlived");
        runs(session, 2, 29, 29);
        runs(session, 3, 31, 31);
        await(retention(MONTH, null, 100).deleteExpired());
        assertThat(countRuns(session)).isEqualTo(5);

        // When
        Rows.value(connection, "UPDATE trace.sessions SET trace_tier = 'shortlived' WHERE id = ?", session);
        await(retention(MONTH, null, 100).deleteExpired());

        // Then
        assertThat(countRuns(session)).isEqualTo(2);
    }

    @Test
    void describesConfiguredAndUnlimitedTiers() {
        // When
        List<TierRetention> tiers = await(retention(MONTH, null, 100).describe(UUID.randomUUID())).tiers();

        // Then
        assertThat(tiers).containsExactly(new TierRetention("shortlived", 2_592_000L, false, 0, 0),
                new TierRetention("longlived", null, true, 0, 0));
    }

    @Test
    void keepsOldRunsReceivedRecently() throws SQLException {
        // Given
        UUID session = session("shortlived");
        runs(session, 5, 3650, 1);

        // When
        await(retention(MONTH, YEAR, 100).deleteExpired());

        // Then
        assertThat(countRuns(session)).isEqualTo(5);
    }

    @Test
    void deletesFeedbackAndAttachmentsOfRuns() throws SQLException {
        // Given
        UUID session = session("shortlived");
        runs(session, 3, 40, 40);
        runs(session, 2, 1, 1);
        Rows.value(connection, "INSERT INTO trace.feedback (tenant_id, id, run_id, session_id, key, created_at, modified_at)"
                + " SELECT tenant_id, gen_random_uuid(), id, session_id, 'k', now(), now() FROM trace.runs"
                + " UNION ALL SELECT tenant_id, gen_random_uuid(), NULL, id, 'k', now(), now() FROM trace.sessions");
        Rows.value(connection, "INSERT INTO trace.attachments (tenant_id, run_id, name, content)"
                + " SELECT tenant_id, id, 'a', '' FROM trace.runs");

        // When
        await(retention(MONTH, null, 100).deleteExpired());

        // Then
        assertThat(counts("run_places", "attachments")).containsExactly(2L, 2L);
        assertThat(Rows.value(connection, "SELECT count(*) || ' ' || count(run_id) FROM trace.feedback")).isEqualTo("3 2");
        assertThat(counts("sessions")).containsExactly(1L);
    }

    @Test
    void smallBatchesDeleteRunsOfManySessions() throws SQLException {
        // Given
        List<UUID> sessions = IntStream.range(0, 120).mapToObj(i -> session("shortlived")).toList();
        for (UUID session : sessions) {
            runs(session, 3, 50, 50);
        }

        // When
        await(retention(MONTH, null, 2).deleteExpired());

        // Then
        assertThat(counts("runs", "run_places", "sessions")).containsExactly(0L, 0L, 120L);
    }

    @Test
    void concurrentReplicasDeleteEachRunOnce() throws SQLException {
        // Given
        UUID session = session("shortlived");
        runs(session, 200, 50, 50);

        // When
        await(Uni.join().all(IntStream.range(0, 6)
                .mapToObj(i -> retention(MONTH, null, 10).deleteExpired())
                .toList()).andFailFast());
        await(retention(MONTH, null, 10).deleteExpired());

        // Then
        assertThat(countRuns(session)).isZero();
        assertThat(meters.counter("waybill.retention.runs", "tier", "shortlived").count()).isEqualTo(200);
    }

    @Test
    void keepsARunThatIsMovedMeanwhile() throws Exception {
        // Given
        UUID session = session("shortlived");
        runs(session, 1, 50, 50);
        Rows.value(connection, "SELECT trace.make_runs_partition(now())");
        connection.setAutoCommit(false);
        Rows.value(connection, "SELECT id FROM trace.run_places WHERE session_id = ? FOR NO KEY UPDATE", session);

        // When
        CompletableFuture<Void> removal = retention(MONTH, null, 10).deleteExpired().subscribeAsCompletionStage();
        for (String table : List.of("run_places", "runs")) {
            Rows.value(connection, "UPDATE trace." + table + " SET start_time = now() WHERE session_id = ?", session);
        }
        connection.commit();
        connection.setAutoCommit(true);
        Patience.await().until(removal::isDone);

        // Then
        removal.get();
        assertThat(countRuns(session)).isEqualTo(1);
        assertThat(counts("run_places")).containsExactly(1L);
    }

    @Test
    void dropsEmptyMonthsAndCreatesThemOnDemand() throws SQLException {
        // Given
        UUID session = session("shortlived");
        Rows.value(connection, "SELECT trace.make_runs_partition('2022-03-01Z'), trace.make_runs_partition('2022-04-01Z')");
        Rows.value(connection,
                "INSERT INTO trace.runs (tenant_id, id, session_id, start_time, trace_id, name, run_type, status,"
                        + " dotted_order) SELECT tenant_id, id, id, '2022-04-02Z', id, 'n', 'llm', 'success', '' FROM trace.sessions");

        // When
        await(retention(MONTH, null, 10).deleteExpired());

        // Then
        assertThat(Rows.value(connection, "SELECT to_regclass('trace.runs_2022_03')")).isNull();
        assertThat(Rows.value(connection, "SELECT to_regclass('trace.runs_2022_04')")).isEqualTo("trace.runs_2022_04");
        assertThat(countRuns(session)).isEqualTo(1);
        assertThat(meters.counter("waybill.retention.partitions").count()).isPositive();
        assertThat(Rows.value(connection, "SELECT trace.make_runs_partition('2022-03-01Z')")).isEqualTo("t");
    }

    @Test
    void doesNotDropPartitionsDuringReads() throws SQLException {
        // Given
        Rows.value(connection, "SELECT trace.make_runs_partition('2023-03-01Z')");
        connection.setAutoCommit(false);
        Rows.value(connection, "SELECT count(*) FROM trace.runs");

        // When
        await(retention(MONTH, null, 10).deleteExpired());

        // Then
        assertThat(Rows.value(connection, "SELECT to_regclass('trace.runs_2023_03')")).isEqualTo("trace.runs_2023_03");
        connection.commit();
        connection.setAutoCommit(true);
    }

    @Test
    void rejectsUnsafeSettingsAtStart() {
        assertThatThrownBy(() -> retention(Duration.ofHours(1), Duration.ofDays(1), 10).check(new StartupEvent()))
                .hasMessageContaining("waybill.retention.shortlived must be at least 2 days")
                .hasMessageContaining("waybill.retention.longlived must be at least 2 days");
        assertThatCode(() -> retention(MONTH, null, 10).check(new StartupEvent())).doesNotThrowAnyException();
    }

    private RetentionService retention(Duration shortlived, Duration longlived, int batchSize) {
        return new RetentionService(serviceDatabase.database(), new RetentionRepository(), new RetentionMetrics(meters),
                new RetentionConfig() {
                    @Override
                    public Optional<Duration> shortlived() {
                        return Optional.ofNullable(shortlived);
                    }

                    @Override
                    public Optional<Duration> longlived() {
                        return Optional.ofNullable(longlived);
                    }
                }, batchSize);
    }

    private UUID session(String tier) {
        UUID id = UUID.randomUUID();
        try {
            Rows.value(connection,
                    "INSERT INTO trace.sessions (tenant_id, id, name, start_time, trace_tier, created_at, modified_at)"
                            + " VALUES (?, ?, ?, now(), ?, now(), now())",
                    UUID.randomUUID(), id, "Project " + id, tier);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return id;
    }

    private void runs(UUID session, int count, int startedDaysAgo, int receivedDaysAgo) throws SQLException {
        Rows.value(connection, "SELECT trace.make_runs_partition(now() - ? * interval '1 day')", startedDaysAgo);
        Rows.value(connection,
                """
                        WITH made AS (
                            INSERT INTO trace.runs (tenant_id, id, session_id, start_time, received_at, trace_id, name, run_type, status,
                                dotted_order)
                            SELECT tenant_id, gen_random_uuid(), s.id, now() - ? * interval '1 day', now() - ? * interval '1 day', s.id,
                                'step', 'chain', 'success', ''
                            FROM trace.sessions s, generate_series(1, ?) WHERE s.id = ?
                            RETURNING tenant_id, id, session_id, start_time)
                        INSERT INTO trace.run_places (tenant_id, id, session_id, start_time) SELECT * FROM made
                        """,
                startedDaysAgo, receivedDaysAgo, count, session);
    }

    private long countRuns(UUID session) throws SQLException {
        return Long.parseLong(Rows.value(connection, "SELECT count(*) FROM trace.runs WHERE session_id = ?", session));
    }

    private List<Long> counts(String... tables) {
        return Stream.of(tables).map(table -> {
            try {
                return Long.parseLong(Rows.value(connection, "SELECT count(*) FROM trace." + table));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }).toList();
    }
}
