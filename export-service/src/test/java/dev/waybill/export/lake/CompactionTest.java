package dev.waybill.export.lake;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.export.lake.LakeWorkspace.DAY;
import static dev.waybill.export.lake.LakeWorkspace.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.database.ReactiveDatabase;
import dev.waybill.common.job.Lease;
import dev.waybill.common.lake.IndexFormat;
import dev.waybill.common.lake.TextCondition;
import dev.waybill.common.lake.TextIndex;
import dev.waybill.common.lake.TextIndex.SelectedRows;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.export.Bucket;
import dev.waybill.export.Duck;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Traces;
import dev.waybill.export.lake.CrashPoint.Step;
import io.quarkus.arc.Arc;
import io.quarkus.test.junit.TestProfile;

@ExportServiceTest
@TestProfile(LakeProfile.class)
class CompactionTest {

    private Bucket bucket;
    private LakeWorkspace workspace;

    @TempDir
    Path directory;

    @BeforeAll
    static void deleteOthers() {
        LakeWorkspace.deleteOthers();
    }

    @BeforeEach
    void open() {
        bucket = new Bucket();
        workspace = LakeWorkspace.create();
    }

    @AfterEach
    void close() {
        TestCrashPoint.disarm();
        bucket.close();
    }

    @Test
    void filesContainAllSessionsInOrder() {
        // Given
        workspace.withRuns(300);
        UUID other = Traces.session(workspace.tenantId());
        Traces.runs(workspace.tenantId(), other, NOON, Duration.ofMillis(7), 200);
        Traces.execute("""
                UPDATE trace.runs SET tags = ARRAY['a', 'b c'], metadata = '{"user": "ü"}', extra = '{}', error = 'none',
                    serialized = '{"lc": 1}', events = '[]', prompt_tokens = 3, completion_tokens = 4, total_tokens = 7,
                    total_cost = 0.001250000, thread_id = 'thread', trace_tier = 'longlived', manifest_id = id,
                    parent_run_id = id, parent_run_ids = ARRAY[id], first_token_time = start_time, reference_example_id = id
                WHERE tenant_id = ? AND session_id = ?
                """, workspace.tenantId(), other);

        // When, Then
        workspace.assertCompacted(bucket, DAY);
        assertThat(workspace.rowsInFiles(bucket, DAY)).hasSize(500);
    }

    @Test
    void textIndexesSelectTheRunsWithAWord() throws IOException {
        // Given
        workspace.withRuns(2_000);
        Traces.execute("""
                UPDATE trace.runs
                SET inputs = '{"text": "Input' || id || '"}', outputs = '{"a": ["OUTPUT\\u005f' || id || '"]}',
                    metadata = '{"user": "user' || id || '"}', error = 'Error' || id, tags = ARRAY[NULL, 'tag', 'tag' || id]
                WHERE tenant_id = ?
                """, workspace.tenantId());

        // When
        workspace.assertCompacted(bucket, DAY);

        // Then
        String key = workspace.recordedKeys().getFirst();
        Path index = Files.write(directory.resolve("index"), bucket.get(IndexFormat.key(key)));
        assertThat(Traces.query("SELECT index_bytes FROM lake.files WHERE key = ?", key)).isEqualTo(Files.size(index));
        TextIndex.validate(index);
        List<Object> ids = Traces.all("SELECT id FROM trace.runs WHERE tenant_id = ? ORDER BY session_id, start_time, id",
                workspace.tenantId());
        for (int row : List.of(0, 700, 1_999)) {
            for (String prefix : List.of("input", "output_", "user", "error", "tag")) {
                SelectedRows selected = TextIndex.select(index,
                        (Long) Traces.query("SELECT bytes FROM lake.files WHERE key = ?",
                                key),
                        TextCondition.contains(prefix + ids.get(row)));
                assertThat(selected.rows()).isEqualTo(2_000);
                assertThat(selected.ranges()).hasSize(1).allMatch(range -> range.first() <= row && row < range.end()
                        && range.rows() < 1_000);
            }
        }
    }

    @Test
    void recordedLatenciesHaveBoundsInTheFile() throws IOException {
        // Given
        Traces.run(workspace.tenantId(), workspace.sessionId(), NOON);

        // When
        workspace.assertCompacted(bucket, DAY);

        // Then
        Path file = Files.write(directory.resolve("runs.parquet"), bucket.get(workspace.recordedKeys().getFirst()));
        assertThat(Traces.query("SELECT has_latency FROM lake.files WHERE tenant_id = ?", workspace.tenantId()))
                .isEqualTo(true);
        assertThat(Duck.query(directory, "SELECT stats_min_value, stats_max_value FROM parquet_metadata('" + file
                + "') WHERE path_in_schema = 'latency'"))
                .isEqualTo(List.of(Map.of("stats_min_value", "1.0", "stats_max_value", "1.0")));
    }

    @Test
    void daysAreSeparateAndTodayIsNotCompacted() {
        // Given
        Traces.run(workspace.tenantId(), workspace.sessionId(), DAY.atStartOfDay().toInstant(ZoneOffset.UTC).minusNanos(1000));
        Traces.run(workspace.tenantId(), workspace.sessionId(), DAY.atStartOfDay().toInstant(ZoneOffset.UTC));
        // The day of this run does not end during the test, also at midnight.
        Traces.run(workspace.tenantId(), workspace.sessionId(), Instant.now().plus(Duration.ofHours(1)));

        // When, Then
        workspace.assertCompacted(bucket, DAY.minusDays(1));
        workspace.assertCompacted(bucket, DAY);
        assertThat(Traces.all("SELECT day::text FROM lake.compactions WHERE tenant_id = ? ORDER BY day", workspace.tenantId()))
                .containsExactly(DAY.minusDays(1).toString(), DAY.toString());
    }

    @ParameterizedTest
    @Tag("full")
    @ValueSource(strings = {
            "UPDATE trace.runs SET name = 'patched' WHERE tenant_id = ?",
            "DELETE FROM trace.runs WHERE tenant_id = ? AND start_time > '2026-09-07T12:00:05Z'",
            "DELETE FROM trace.runs WHERE tenant_id = ?",
            "UPDATE trace.runs SET start_time = start_time - interval '1 day' WHERE tenant_id = ?",
            "UPDATE trace.runs SET start_time = start_time - interval '60 days' WHERE tenant_id = ?",
            "INSERT INTO trace.session_removals (tenant_id, session_id) SELECT DISTINCT tenant_id, session_id FROM trace.runs"
                    + " WHERE tenant_id = ?; DELETE FROM trace.runs WHERE start_time = '2026-09-07T12:00:05Z'" })
    void changedDayIsCompactedAgain(String change) {
        // Given
        TestDatabase.get().makeRunPartitions(NOON.minus(Duration.ofDays(60)), NOON);
        workspace.withRuns(10);
        workspace.assertCompacted(bucket, DAY);
        List<String> replaced = workspace.recordedKeys();

        // When
        Traces.execute(change, workspace.tenantId());

        // Then
        await().untilAsserted(() -> {
            LakeWorkspace.planNow();
            assertThat(workspace.recordedKeys()).isNotEqualTo(replaced);
        });
        workspace.assertCompacted(bucket, DAY);
        assertThat(bucket.keys(workspace.prefix())).containsAll(replaced);
        assertThat(Traces.all("SELECT key FROM lake.obsolete_files WHERE tenant_id = ?", workspace.tenantId()))
                .containsAll(replaced);
    }

    @Test
    void runStoredDuringCompactionInvalidatesIt() {
        // Given
        workspace.withRuns(10);
        TestCrashPoint.once(workspace.tenantId(), Step.PARTS_UPLOADED,
                () -> Traces.run(workspace.tenantId(), workspace.sessionId(), NOON.minusSeconds(1)));

        // When, Then
        workspace.assertCompacted(bucket, DAY);
        assertThat(workspace.rowsInFiles(bucket, DAY)).hasSize(11);
    }

    @Test
    void compactionWaitsForEarlierTransactions() throws Exception {
        // Given: a transaction that stored a run before the day was registered; another compaction would wait for it, too
        workspace.withRuns(10);
        LakeWorkspace.awaitCompactions();
        CountDownLatch started = new CountDownLatch(1);
        TestCrashPoint.once(workspace.tenantId(), Step.STARTED, started::countDown);
        try (var connection = TestDatabase.get().superuser(); var statement = connection.prepareStatement("""
                INSERT INTO trace.runs (tenant_id, id, session_id, start_time, trace_id, name, run_type, status, dotted_order)
                VALUES (?, gen_random_uuid(), ?, ?, gen_random_uuid(), 'late', 'chain', 'success', 'x')
                """)) {
            connection.setAutoCommit(false);
            statement.setObject(1, workspace.tenantId());
            statement.setObject(2, workspace.sessionId());
            statement.setObject(3, NOON.minusSeconds(5).atOffset(ZoneOffset.UTC));
            statement.execute();

            // When
            workspace.plan(DAY);
            assertThat(started.await(5, TimeUnit.MINUTES)).isTrue();
            await().until(() -> workspace.state(DAY).equals("running"));
            connection.commit();
        }

        // Then
        workspace.assertCompacted(bucket, DAY);
        assertThat(workspace.rowsInFiles(bucket, DAY)).hasSize(11);
        assertThat(Traces.all("SELECT 1 FROM trace.lake_changes WHERE tenant_id = ?", workspace.tenantId())).isEmpty();
    }

    @Test
    void barrierWaitsForTheNewestTransaction() throws Exception {
        // Given
        CompactionService compactions = Arc.container().instance(CompactionService.class).get();
        Lease lease = new Lease(workspace.tenantId(), UUID.randomUUID(), 1);
        try (var connection = TestDatabase.get().superuser(); var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SELECT pg_current_xact_id()");

            // When
            String barrier = ReactiveDatabase.await(compactions.barrier(lease));

            // Then
            assertThat(ReactiveDatabase.await(compactions.isPassed(lease, barrier))).isFalse();
            connection.commit();
            await().until(() -> ReactiveDatabase.await(compactions.isPassed(lease, barrier)));
        }
    }

    @Test
    void filesOfWorkspacesAreSeparate() {
        // Given
        workspace.withRuns(10);
        LakeWorkspace other = LakeWorkspace.create().withRuns(5);

        // When, Then
        workspace.assertCompacted(bucket, DAY);
        other.assertCompacted(bucket, DAY);
        assertThat(workspace.rowsInFiles(bucket, DAY)).hasSize(10);
        assertThat(workspace.recordedKeys()).allMatch(key -> key.startsWith(workspace.prefix()));
        assertThat(other.recordedKeys()).allMatch(key -> key.startsWith(other.prefix()));
    }

    @Test
    void dayWithTooLargeRunIsUnsupportedUntilItChanges() {
        // Given
        workspace.withRuns(3);
        Traces.execute("UPDATE trace.runs SET outputs = repeat(gen_random_uuid()::text, 100000)"
                + " WHERE tenant_id = ? AND start_time = ?", workspace.tenantId(), NOON.atOffset(ZoneOffset.UTC));
        workspace.plan(DAY);
        await().untilAsserted(() -> assertThat(workspace.state(DAY)).isEqualTo("unsupported"));
        assertThat(workspace.recordedKeys()).isEmpty();

        // When
        Traces.execute("UPDATE trace.runs SET outputs = '{}' WHERE tenant_id = ?", workspace.tenantId());

        // Then
        workspace.assertCompacted(bucket, DAY);
    }
}
