package dev.waybill.export.lake;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.export.lake.LakeWorkspace.DAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.common.database.ReactiveDatabase;
import dev.waybill.common.lake.IndexFormat;
import dev.waybill.export.Bucket;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Traces;
import dev.waybill.export.lake.CrashPoint.Step;
import io.quarkus.arc.Arc;
import io.quarkus.test.junit.TestProfile;

/** Recovery from workers that crash, lose their lease or are suspended longer than the cleanup waits. */
@ExportServiceTest
@TestProfile(LakeProfile.class)
@Tag("full")
class CompactionRecoveryTest {

    private Bucket bucket;
    private LakeWorkspace workspace;

    @BeforeAll
    static void deleteOthers() {
        LakeWorkspace.deleteOthers();
    }

    @BeforeEach
    void open() {
        bucket = new Bucket();
        workspace = LakeWorkspace.create().withRuns(300);
    }

    @AfterEach
    void close() {
        TestCrashPoint.disarm();
        bucket.close();
    }

    @ParameterizedTest
    @EnumSource(value = Step.class, mode = EnumSource.Mode.MATCH_NONE, names = "TABLE_.*")
    void crashedWorkerIsReplacedAndLeavesNothing(Step step) {
        // Given
        TestCrashPoint.once(workspace.tenantId(), step, workspace::crash);

        // When, Then
        workspace.assertCompacted(bucket, DAY);
        assertOnlyRecordedFilesRemain();
    }

    @ParameterizedTest
    @EnumSource(value = Step.class, names = { "PARTS_UPLOADED", "PUBLISHED" })
    void workerWithLostLeaseRecordsNothing(Step step) {
        // Given
        TestCrashPoint.once(workspace.tenantId(), step, () -> Traces.execute("""
                UPDATE lake.compactions
                SET lease_token = lease_token + 1, lease_owner = 'another', lease_until = now() + interval '1 second'
                WHERE tenant_id = ?
                """, workspace.tenantId()));

        // When, Then
        workspace.assertCompacted(bucket, DAY);
        assertThat((Long) Traces.query("SELECT lease_token FROM lake.compactions WHERE tenant_id = ?", workspace.tenantId()))
                .isGreaterThanOrEqualTo(3L);
        assertOnlyRecordedFilesRemain();
    }

    @Test
    void attemptWhoseFilesAreBeingDeletedRecordsNothing() {
        // Given
        TestCrashPoint.once(workspace.tenantId(), Step.PUBLISHED, () -> {
            Traces.execute("UPDATE lake.obsolete_files SET deletion_started = true WHERE tenant_id = ?", workspace.tenantId());
            Traces.execute("UPDATE lake.compactions SET lease_until = now() WHERE tenant_id = ?", workspace.tenantId());
        });

        // When, Then
        workspace.assertCompacted(bucket, DAY);
        assertOnlyRecordedFilesRemain();
    }

    @Test
    void replacedFilesAreDeletedLater() {
        // Given
        workspace.assertCompacted(bucket, DAY);
        Traces.execute("UPDATE trace.runs SET name = 'patched' WHERE tenant_id = ?", workspace.tenantId());
        await().untilAsserted(() -> {
            LakeWorkspace.planNow();
            assertThat(workspace.dataKeys(bucket)).hasSizeGreaterThan(2);
        });

        // When, Then
        workspace.assertCompacted(bucket, DAY);
        assertOnlyRecordedFilesRemain();
    }

    private void assertOnlyRecordedFilesRemain() {
        await().untilAsserted(() -> {
            workspace.publishNow(Duration.ofHours(2));
            Traces.execute("UPDATE lake.obsolete_files SET obsolete_since = now() - interval '2 hours' WHERE tenant_id = ?",
                    workspace.tenantId());
            ReactiveDatabase.await(Arc.container().instance(ObsoleteFileCleanup.class).get().cleanUp());
            assertThat(workspace.dataKeys(bucket)).isEqualTo(workspace.recordedKeys().stream()
                    .flatMap(key -> Stream.of(key, IndexFormat.key(key))).toList());
            assertThat(bucket.openUploads(workspace.prefix())).isEmpty();
            assertThat(Traces.all("SELECT key FROM lake.obsolete_files WHERE tenant_id = ?", workspace.tenantId())).isEmpty();
        });
    }
}
