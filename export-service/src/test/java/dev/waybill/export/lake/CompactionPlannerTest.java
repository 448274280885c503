package dev.waybill.export.lake;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.export.lake.LakeWorkspace.DAY;
import static dev.waybill.export.lake.LakeWorkspace.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneOffset;
import java.util.List;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.database.Database;
import dev.waybill.common.database.ReactiveDatabase;
import dev.waybill.export.Bucket;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Traces;
import dev.waybill.export.lake.CrashPoint.Step;
import dev.waybill.export.run.FileLimits;
import io.quarkus.test.junit.TestProfile;

/** Which days are compacted again, and when passes over the sessions begin. */
@ExportServiceTest
@TestProfile(LakeProfile.class)
class CompactionPlannerTest {

    @Inject
    Database database;
    @Inject
    LakeConfig config;
    @Inject
    FileLimits limits;
    @Inject
    CompactionPlanner planner;

    private Bucket bucket;
    private LakeWorkspace workspace;

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
    void dayOfAnotherClusterIsCompactedAgain() {
        // Given: the rows of a dump of a cluster with later transaction ids
        workspace.withRuns(5).assertCompacted(bucket, DAY);
        List<String> replaced = workspace.recordedKeys();
        Traces.execute("INSERT INTO trace.lake_changes VALUES (?, ?, '9000000000000000')", workspace.tenantId(), DAY);

        // When
        Traces.execute("UPDATE lake.compactions SET cluster = cluster + 1, snapshot = '9000000000000001:9000000000000001:'"
                + " WHERE tenant_id = ?", workspace.tenantId());

        // Then
        awaitReplaced(replaced);
        workspace.assertCompacted(bucket, DAY);
        assertThat(Traces.all("SELECT 1 FROM trace.lake_changes WHERE tenant_id = ?", workspace.tenantId())).isEmpty();
    }

    @Test
    @Tag("full")
    void dayStoredByPreviousReleaseIsCompactedAgain() {
        // Given
        workspace.withRuns(5).assertCompacted(bucket, DAY);
        List<String> replaced = workspace.recordedKeys();

        // When
        Traces.execute("UPDATE lake.compactions SET cluster = NULL, compacted_at = now() - interval '11 minutes'"
                + " WHERE tenant_id = ?", workspace.tenantId());

        // Then
        awaitReplaced(replaced);
    }

    @Test
    void dayThatPreviousReleaseStoresAgainHasToWait() {
        // Given
        workspace.withRuns(5).assertCompacted(bucket, DAY);
        long attempts = token();

        // When
        Traces.execute("UPDATE lake.compactions SET cluster = NULL WHERE tenant_id = ?", workspace.tenantId());
        LakeWorkspace.planNow();

        // Then
        assertThat(workspace.state(DAY)).isEqualTo("compacted");
        assertThat(token()).isEqualTo(attempts);
    }

    @Test
    void resultOfAnotherClusterIsNotRecorded() {
        // Given
        workspace.withRuns(5);
        TestCrashPoint.once(workspace.tenantId(), Step.PUBLISHED,
                () -> Traces.execute(
                        "UPDATE lake.compactions SET cluster = cluster + 1, lease_until = now() WHERE tenant_id = ?",
                        workspace.tenantId()));

        // When, Then
        workspace.assertCompacted(bucket, DAY);
        assertThat((Long) Traces.query("SELECT lease_token FROM lake.compactions WHERE tenant_id = ?", workspace.tenantId()))
                .isGreaterThan(1L);
    }

    @Test
    @Tag("full")
    void unsupportedDayIsRetriedWithLargerLimit() {
        // Given
        workspace.withRuns(3);
        Traces.execute("UPDATE trace.runs SET outputs = repeat(gen_random_uuid()::text, 100000)"
                + " WHERE tenant_id = ? AND start_time = ?", workspace.tenantId(), NOON.atOffset(ZoneOffset.UTC));
        workspace.plan(DAY);
        await().untilAsserted(() -> assertThat(workspace.state(DAY)).isEqualTo("unsupported"));
        LakeWorkspace.planNow();
        assertThat(workspace.state(DAY)).isEqualTo("unsupported");
        long attempts = token();

        // When
        Traces.execute("UPDATE lake.compactions SET max_row_bytes = max_row_bytes - 1 WHERE tenant_id = ?",
                workspace.tenantId());

        // Then
        await().untilAsserted(() -> {
            LakeWorkspace.planNow();
            assertThat(token()).isGreaterThan(attempts);
        });
    }

    @Test
    void dayThatIsNotOverIsCompactedLater() {
        // Given: compacted before the clock was set back; the day does not end during the test, also at midnight
        Traces.execute("""
                INSERT INTO lake.compactions (tenant_id, day, state, snapshot, cluster, pending_since)
                SELECT ?, ((now() + interval '1 hour') AT TIME ZONE 'UTC')::date, 'compacted', pg_current_snapshot()::text,
                    system_identifier, NULL
                FROM pg_control_system()""", workspace.tenantId());

        // When
        LakeWorkspace.planNow();

        // Then
        assertThat(Traces.query("SELECT state FROM lake.compactions WHERE tenant_id = ?", workspace.tenantId()))
                .isEqualTo("pending");
        workspace.withRuns(3).assertCompacted(bucket, DAY);
        assertThat((Long) Traces.query("SELECT sum(lease_token)::bigint FROM lake.compactions WHERE tenant_id = ? AND day <> ?",
                workspace.tenantId(), DAY)).isZero();
    }

    @Test
    void firstRoundOfProcessBeginsPass() {
        // Given
        workspace.withRuns(3);

        // When, Then
        await().untilAsserted(() -> {
            Traces.execute("UPDATE lake.planning SET next_pass_at = now() + interval '30 minutes'");
            ReactiveDatabase.await(new CompactionPlanner(database, config, limits).plan());
            assertPlanned();
        });
    }

    @Test
    @Tag("full")
    void timesStoredBeforeClockStepAreIgnored() {
        // Given
        ReactiveDatabase.await(planner.plan());
        workspace.withRuns(3);

        // When: a pass, an attempt and a deletion were scheduled by a later clock
        await().untilAsserted(() -> {
            Traces.execute("UPDATE lake.planning SET next_pass_at = now() + interval '1 year'");
            ReactiveDatabase.await(planner.plan());
            assertPlanned();
        });
        Traces.execute("UPDATE lake.compactions SET next_attempt_at = now() + interval '1 year' WHERE tenant_id = ?",
                workspace.tenantId());

        // Then
        workspace.assertCompacted(bucket, DAY);
    }

    private void awaitReplaced(List<String> replaced) {
        await().untilAsserted(() -> {
            LakeWorkspace.planNow();
            assertThat(workspace.recordedKeys()).isNotEmpty().isNotEqualTo(replaced);
        });
    }

    private void assertPlanned() {
        assertThat(Traces.all("SELECT day::text FROM lake.compactions WHERE tenant_id = ?", workspace.tenantId()))
                .containsExactly(DAY.toString());
    }

    private long token() {
        return (Long) Traces.query("SELECT lease_token FROM lake.compactions WHERE tenant_id = ?", workspace.tenantId());
    }
}
