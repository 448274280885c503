package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Searches and compactions while the store is stopped or the reader cannot write files, as on a full disk. */
@Tag("full")
class LakeOutageIT {

    private static LakeRuns runs;
    private static LakeReplicas lake;

    @BeforeAll
    static void start() {
        runs = LakeRuns.create("lake-outage");
        lake = LakeReplicas.start(runs.workspace.running(), 1);
    }

    @AfterAll
    static void stop() {
        lake.close();
        runs.workspace.deleteRuns();
    }

    @BeforeEach
    void awaitNewFiles() {
        runs.changeFirst();
        lake.awaitValid(runs.workspace, LakeRuns.DAYS);
    }

    @Test
    void searchReadsPostgreSqlWhileDiskIsFull() throws Exception {
        // Given
        double before = searches("postgresql");
        lake.limitFilesOfReader("4096");

        // When, Then
        try {
            runs.assertSearchEqualsPostgreSql(lake.reader);
            assertThat(searches("postgresql")).isGreaterThan(before);
        } finally {
            lake.limitFilesOfReader("unlimited");
        }
        awaitSearchOfLake();
    }

    @Test
    void searchAndCompactionSurviveOutageOfStore() {
        // Given
        RunningStack running = runs.workspace.running();
        double before = searches("postgresql");

        // When
        running.stack.s3().stop();
        try {
            runs.assertSearchEqualsPostgreSql(lake.reader);
            runs.changeFirst();
            await().atMost(LakeReplicas.TIMEOUT).until(() -> !"0".equals(TableText.value(
                    "SELECT count(error_code) FROM lake.compactions WHERE tenant_id = '" + runs.workspace.tenantId() + "'")));
            runs.assertSearchEqualsPostgreSql(lake.reader);
        } finally {
            running.stack.restartS3();
        }

        // Then
        assertThat(searches("postgresql")).isGreaterThan(before);
        lake.awaitValid(runs.workspace, LakeRuns.DAYS);
        awaitSearchOfLake();
        lake.assertNothingDangles(runs.workspace);
    }

    // A file that could not be read is tried again after an interval.
    private static void awaitSearchOfLake() {
        double before = searches("lake");
        await().atMost(LakeReplicas.TIMEOUT).untilAsserted(() -> {
            runs.assertSearchEqualsPostgreSql(lake.reader);
            assertThat(searches("lake")).isGreaterThan(before);
        });
    }

    private static double searches(String source) {
        return LakeReplicas.counter(lake.reader, "waybill_lake_searches_total", "source", source);
    }
}
