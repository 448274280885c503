package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills an export-service, or suspends it for longer than its lease, at each step of a compaction. The other one must compact
 * the day, and nothing else may remain in the bucket.
 */
@Tag("full")
class LakeFaultIT {

    private static LakeRuns runs;
    private static LakeReplicas lake;

    private Debugger debugger;

    @BeforeAll
    static void start() {
        runs = LakeRuns.create("lake-faults");
        lake = LakeReplicas.start(runs.workspace.running(), 2);
    }

    @AfterAll
    static void stop() {
        lake.close();
        runs.workspace.deleteRuns();
    }

    @BeforeEach
    void awaitIdle() {
        lake.writers.getFirst().awaitReady();
        lake.awaitValid(runs.workspace, LakeRuns.DAYS);
        // Days of other workspaces would reach the steps as well.
        await().atMost(LakeReplicas.TIMEOUT).until(() -> "0"
                .equals(TableText.value("SELECT count(*) FROM lake.compactions WHERE state IN ('pending', 'running')")));
        debugger = lake.debug(0);
        lake.writers.getLast().pause();
    }

    @AfterEach
    void resume() {
        debugger.close();
        lake.writers.getLast().resume();
    }

    @ParameterizedTest
    @ValueSource(strings = { "PARTS_UPLOADED", "PUBLISHED" })
    void otherReplicaCompactsDayOfKilledOne(String step) {
        killAt(step);
    }

    @ParameterizedTest
    @ValueSource(strings = { "STARTED", "BARRIER_PASSED", "FILE_VISIBLE", "RECORDED" })
    @Tag("long")
    void otherReplicaCompactsDayOfOneKilledAtOtherSteps(String step) {
        killAt(step);
    }

    private void killAt(String step) {
        // Given
        compactChangedDayUntil(CodePoint.compaction(step));

        // When
        lake.writers.getFirst().kill();
        lake.writers.getFirst().start();
        lake.writers.getLast().resume();

        // Then
        assertCompacted();
    }

    @ParameterizedTest
    @ValueSource(strings = { "FILE_VISIBLE" })
    void suspendedReplicaChangesNothingAfterLeaseExpiry(String step) {
        suspendAt(step);
    }

    @ParameterizedTest
    @ValueSource(strings = { "STARTED", "PARTS_UPLOADED", "PUBLISHED" })
    @Tag("long")
    void replicaSuspendedAtOtherStepsChangesNothing(String step) {
        suspendAt(step);
    }

    private void suspendAt(String step) {
        // Given
        double lost = lostLeases();
        compactChangedDayUntil(CodePoint.compaction(step));
        lake.writers.getLast().resume();
        lake.awaitValid(runs.workspace, LakeRuns.DAYS);
        List<String> recorded = LakeReplicas.recordedKeys(runs.workspace);

        // When
        debugger.resume();

        // Then
        await().atMost(LakeReplicas.TIMEOUT).until(() -> lostLeases() > lost);
        assertThat(LakeReplicas.recordedKeys(runs.workspace)).isEqualTo(recorded);
        assertCompacted();
    }

    private void compactChangedDayUntil(CodePoint point) {
        debugger.arm(point);
        runs.changeFirst();
        debugger.awaitStop(point);
    }

    private static void assertCompacted() {
        lake.awaitValid(runs.workspace, LakeRuns.DAYS);
        lake.assertNothingDangles(runs.workspace);
        runs.assertSearchEqualsPostgreSql(lake.reader);
        assertThat(TableText.value("SELECT sum(rows) = (SELECT count(*) FROM trace.runs WHERE tenant_id = '%1$s')"
                .formatted(runs.workspace.tenantId()) + " FROM lake.compactions WHERE tenant_id = '"
                + runs.workspace.tenantId() + "'")).isEqualTo("t");
    }

    private static double lostLeases() {
        return LakeReplicas.counter(lake.writers.getFirst(), "waybill_lake_compactions_total", "outcome", "lease_lost");
    }
}
