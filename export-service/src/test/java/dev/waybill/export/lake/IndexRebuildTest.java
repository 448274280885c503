package dev.waybill.export.lake;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.export.lake.LakeWorkspace.DAY;
import static dev.waybill.export.lake.LakeWorkspace.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.database.ReactiveDatabase;
import dev.waybill.common.lake.IndexFormat;
import dev.waybill.export.Bucket;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Traces;
import dev.waybill.export.lake.CrashPoint.Step;
import dev.waybill.export.lake.iceberg.EngineCatalog;
import io.quarkus.test.junit.TestProfile;

/** Days whose files were written without a text index, or with one of an earlier version, get one in the background. */
@ExportServiceTest
@TestProfile(LakeProfile.class)
class IndexRebuildTest {

    private static final LocalDate BEFORE = DAY.minusDays(1);

    @Inject
    IndexRebuildPlanner rebuilds;

    private Bucket bucket;
    private LakeWorkspace workspace;

    @BeforeAll
    static void deleteOthers() {
        LakeWorkspace.deleteOthers();
    }

    @BeforeEach
    void compactTwoDays() {
        bucket = new Bucket();
        workspace = LakeWorkspace.create().withRuns(20);
        Traces.run(workspace.tenantId(), workspace.sessionId(), NOON.minus(Duration.ofDays(1)));
        workspace.assertCompacted(bucket, DAY);
        workspace.assertCompacted(bucket, BEFORE);
        LakeWorkspace.awaitCompactions();
    }

    @AfterEach
    void close() {
        TestCrashPoint.disarm();
        bucket.close();
    }

    @Test
    void newestDayIsRebuiltFirst() {
        // Given: too many bytes for a second day
        Traces.execute("UPDATE lake.compactions SET bytes = 1000000000 WHERE tenant_id = ?", workspace.tenantId());
        removeIndexes("NULL");
        List<Object> older = keys(BEFORE);

        // When
        planRebuilds();

        // Then
        awaitIndex(DAY);
        assertThat(keys(BEFORE)).isEqualTo(older);
        planRebuilds();
        awaitIndex(BEFORE);
    }

    @Test
    void olderVersionIsReplaced() {
        // Given
        removeIndexes(Integer.toString(IndexFormat.VERSION - 1));

        // When
        planRebuilds();

        // Then
        awaitIndex(DAY);
        awaitIndex(BEFORE);
    }

    @Test
    void otherDaysAreCompactedFirst() {
        // Given
        Traces.execute("INSERT INTO lake.compactions (tenant_id, day, next_attempt_at)"
                + " VALUES (?, ?, now() + interval '10 minutes')", UUID.randomUUID(), DAY.minusDays(7));
        removeIndexes("NULL");

        // When
        planRebuilds();

        // Then
        assertThat(workspace.state(DAY)).isEqualTo("compacted");
        Traces.execute("UPDATE lake.compactions SET next_attempt_at = now() WHERE day = ?", DAY.minusDays(7));
        await().untilAsserted(() -> {
            planRebuilds();
            assertThat(daysWithoutIndex()).isEmpty();
        });
    }

    @Test
    void presentAndRecentDaysAreNotRebuilt() {
        // Given: files of the present version, and files that a replica of an earlier release has just written
        List<String> present = workspace.recordedKeys();
        Traces.execute("UPDATE lake.files SET index_bytes = NULL, index_version = NULL WHERE tenant_id = ? AND day = ?",
                workspace.tenantId(), BEFORE);
        Traces.execute("UPDATE lake.compactions SET compacted_at = now() - interval '1 day' WHERE tenant_id = ? AND day = ?",
                workspace.tenantId(), DAY);

        // When
        planRebuilds();

        // Then
        assertThat(workspace.state(DAY)).isEqualTo("compacted");
        assertThat(workspace.state(BEFORE)).isEqualTo("compacted");
        assertThat(workspace.recordedKeys()).isEqualTo(present);
    }

    @Test
    void crashedRebuildIsRepeatedAndPublished() {
        // Given
        workspace.publishNow(Duration.ZERO);
        List<String> replaced = workspace.recordedKeys();
        removeIndexes("NULL");
        TestCrashPoint.once(workspace.tenantId(), Step.PUBLISHED, workspace::crash);

        // When
        planRebuilds();
        awaitIndex(DAY);
        awaitIndex(BEFORE);
        workspace.publishNow(Duration.ZERO);

        // Then
        workspace.assertCompacted(bucket, DAY);
        assertThat(workspace.dataKeys(bucket)).containsAll(replaced)
                .containsAll(workspace.recordedKeys().stream().map(IndexFormat::key).toList());
        try (EngineCatalog engine = EngineCatalog.reader(workspace.store(), Bucket.name(), workspace.tenantId())) {
            assertThat(engine.files()).extracting(file -> file.location().substring(("s3://" + Bucket.name() + "/").length()))
                    .containsExactlyInAnyOrderElementsOf(workspace.recordedKeys()).doesNotContainAnyElementsOf(replaced);
        }
    }

    private void removeIndexes(String version) {
        postpone();
        Traces.execute("UPDATE lake.files SET index_bytes = NULL, index_version = " + version + " WHERE tenant_id = ?",
                workspace.tenantId());
        Traces.execute("UPDATE lake.compactions SET compacted_at = now() - interval '1 day' WHERE tenant_id = ?",
                workspace.tenantId());
    }

    private void planRebuilds() {
        Traces.execute("UPDATE lake.planning SET next_rebuild_at = now()");
        ReactiveDatabase.await(rebuilds.plan());
    }

    // The timer does not plan rebuilds meanwhile.
    private static void postpone() {
        Traces.execute("UPDATE lake.planning SET next_rebuild_at = now() + interval '59 seconds'");
    }

    private void awaitIndex(LocalDate day) {
        await().untilAsserted(() -> {
            assertThat(workspace.state(day)).isEqualTo("compacted");
            assertThat(daysWithoutIndex()).doesNotContain(day.toString());
        });
    }

    private List<Object> daysWithoutIndex() {
        return Traces.all("SELECT DISTINCT day::text FROM lake.files WHERE tenant_id = ? AND (index_bytes IS NULL"
                + " OR index_version <> ?)", workspace.tenantId(), IndexFormat.VERSION);
    }

    private List<Object> keys(LocalDate day) {
        return Traces.all("SELECT key FROM lake.files WHERE tenant_id = ? AND day = ?", workspace.tenantId(), day);
    }
}
