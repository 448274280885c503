package dev.waybill.export.lake;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.export.lake.LakeWorkspace.DAY;
import static dev.waybill.export.lake.LakeWorkspace.NOON;
import static org.apache.iceberg.expressions.Expressions.equal;
import static org.apache.iceberg.expressions.Expressions.greaterThan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;

import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.common.database.ReactiveDatabase;
import dev.waybill.common.lake.IndexFormat;
import dev.waybill.common.testing.Management;
import dev.waybill.export.Bucket;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Traces;
import dev.waybill.export.lake.CrashPoint.Step;
import dev.waybill.export.lake.iceberg.EngineCatalog;
import dev.waybill.export.parquet.ExportField;
import dev.waybill.export.parquet.FieldIds;
import io.quarkus.arc.Arc;
import io.quarkus.test.junit.TestProfile;

/** The tables that engines read: their content, and what remains after changes and crashes. */
@ExportServiceTest
@TestProfile(LakeProfile.class)
class PublicationTest {

    private static final Duration NOW = Duration.ZERO;
    private static final Duration LATER = Duration.ofHours(2);

    private Bucket bucket;
    private LakeWorkspace workspace;
    private EngineCatalog engine;

    @BeforeEach
    void open() {
        bucket = new Bucket();
        workspace = LakeWorkspace.create();
        engine = engine(workspace);
    }

    @AfterEach
    void close() {
        TestCrashPoint.disarm();
        engine.close();
        bucket.close();
    }

    @Test
    void tableContainsCompactedDays() {
        // Given
        workspace.withRuns(300);
        Traces.run(workspace.tenantId(), workspace.sessionId(), NOON.minus(Duration.ofDays(1)));
        workspace.assertCompacted(bucket, DAY);
        workspace.assertCompacted(bucket, DAY.minusDays(1));

        // When
        workspace.publishNow(NOW);

        // Then
        assertThat(publishedKeys()).isEqualTo(workspace.recordedKeys()).hasSize(2);
        assertThat(engine.files().stream().mapToLong(DataFile::recordCount).sum()).isEqualTo(301);
        assertThat(engine.files(equal("session_id", workspace.sessionId().toString()))).hasSize(2);
        assertThat(engine.files(equal("session_id", "none"))).isEmpty();
        assertThat(engine.files(greaterThan("start_time", micros(Duration.ofSeconds(-1))))).hasSize(1);
        assertThat(engine.files(greaterThan("start_time", micros(Duration.ofHours(1))))).isEmpty();
        assertThat(engine.files(equal("latency", 1.0))).extracting(DataFile::recordCount).containsExactly(1L);
        assertThat(engine.files(greaterThan("latency", 1.0))).extracting(DataFile::recordCount).containsExactly(300L);
        assertThat(engine.table().location()).endsWith("/runs/tenant_id=" + workspace.tenantId());
    }

    @Test
    void filesHaveTheFieldIdsOfTheTable() {
        // Given
        workspace.withRuns(1);
        workspace.assertCompacted(bucket, DAY);

        // When
        workspace.publishNow(NOW);

        // Then
        Types.StructType columns = engine.table().schema().asStruct();
        assertThat(workspace.fieldIds(bucket)).containsExactlyInAnyOrderElementsOf(columns.fields().stream()
                .flatMap(field -> field.type().isListType()
                        ? Stream.of(field.name() + "=" + field.fieldId(),
                                "element=" + field.type().asListType().elementId())
                        : Stream.of(field.name() + "=" + field.fieldId()))
                .toList());
    }

    @Test
    void replacedFilesRemainWhileASnapshotRefersToThem() {
        // Given
        workspace.withRuns(10);
        workspace.assertCompacted(bucket, DAY);
        workspace.publishNow(NOW);
        List<String> replaced = workspace.recordedKeys();
        changeRuns();

        // When, Then
        assertThat(remainingAfterCleanup()).containsAll(replaced);
        workspace.publishNow(NOW);
        assertThat(publishedKeys()).isEqualTo(workspace.recordedKeys()).doesNotContainAnyElementsOf(replaced);
        assertThat(remainingAfterCleanup()).containsAll(replaced);
        workspace.publishNow(LATER);
        assertThat(publishedKeys()).isEqualTo(workspace.recordedKeys());
        assertThat(remainingAfterCleanup()).isEqualTo(workspace.recordedKeys());
        assertThat(engine.table().snapshots()).hasSize(1);
    }

    @Test
    @Tag("full")
    void unusedMetadataIsDeleted() {
        // Given
        workspace.withRuns(10);
        workspace.assertCompacted(bucket, DAY);
        for (int i = 0; i < 15; i++) {
            workspace.publishNow(LATER);
        }
        changeRuns();

        // When
        workspace.publishNow(NOW);
        workspace.publishNow(LATER);
        workspace.publishNow(LATER);

        // Then: one manifest list, at most two manifests, the metadata and ten previous ones, and one that the last removed
        assertThat(workspace.metadataKeys(bucket)).hasSizeLessThan(16);
        assertThat(publishedKeys()).isEqualTo(workspace.recordedKeys());
    }

    @Test
    void dayWithoutRunsIsRemovedFromTheTable() {
        // Given
        workspace.withRuns(10);
        workspace.assertCompacted(bucket, DAY);
        workspace.publishNow(NOW);

        // When
        Traces.execute("DELETE FROM trace.runs WHERE tenant_id = ?", workspace.tenantId());
        await().untilAsserted(() -> {
            LakeWorkspace.planNow();
            assertThat(workspace.recordedKeys()).isEmpty();
        });
        workspace.publishNow(NOW);

        // Then
        assertThat(engine.files()).isEmpty();
        assertThat(engine.table().currentSnapshot().summary()).containsEntry("total-records", "0");
    }

    @ParameterizedTest
    @EnumSource(value = Step.class, mode = EnumSource.Mode.MATCH_ALL, names = "TABLE_.*")
    @Tag("full")
    void crashedPublicationIsRepeated(Step step) {
        // Given
        workspace.withRuns(10);
        workspace.assertCompacted(bucket, DAY);
        TestCrashPoint.once(workspace.tenantId(), step, workspace::crash);

        // When
        publishByJob();

        // Then
        awaitPublished();
        assertThat(publishedKeys()).isEqualTo(workspace.recordedKeys());
        assertThat(engine.table().snapshots()).hasSize(1);
    }

    @Test
    void publicationIsRepeatedAfterItsConnectionBroke() {
        // Given
        workspace.withRuns(10);
        workspace.assertCompacted(bucket, DAY);
        TestCrashPoint.once(workspace.tenantId(), Step.TABLE_LOADED, () -> Traces.query("""
                SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                WHERE datname = current_database() AND usename = 'waybill_export'
                    AND application_name = 'PostgreSQL JDBC Driver'
                """));

        // When
        publishByJob();
        await().untilAsserted(() -> assertThat(
                Traces.all("SELECT 1 FROM lake.tables WHERE tenant_id = ? AND error_code IS NOT NULL", workspace.tenantId()))
                .hasSize(1));
        publishByJob();

        // Then
        awaitPublished();
        assertThat(publishedKeys()).isEqualTo(workspace.recordedKeys());
    }

    @Test
    void publisherWithLostLeaseCannotCommit() {
        // Given: a day that has lost all its runs when another replica publishes, whose commit changes no file
        workspace.withRuns(10);
        workspace.assertCompacted(bucket, DAY);
        workspace.publishNow(NOW);
        changeRuns();
        TestCrashPoint.once(workspace.tenantId(), Step.TABLE_LOADED, () -> {
            releaseLease();
            workspace.publishNow(NOW);
        });

        // When, Then
        assertThatThrownBy(() -> workspace.publishNow(NOW)).isInstanceOf(CommitFailedException.class);
        assertThat(publishedKeys()).isEqualTo(workspace.recordedKeys());
        assertThat(engine.table().snapshots()).hasSize(2);
    }

    @Test
    @Tag("full")
    void publicationWithoutChangesPreventsEarlierOnes() {
        // Given
        workspace.withRuns(10);
        workspace.assertCompacted(bucket, DAY);
        workspace.publishNow(NOW);
        TestCrashPoint.once(workspace.tenantId(), Step.TABLE_LOADED, () -> {
            releaseLease();
            workspace.publishNow(NOW);
        });

        // When, Then
        assertThatThrownBy(() -> workspace.publishNow(NOW)).isInstanceOf(CommitFailedException.class);
        assertThat(engine.table().snapshots()).hasSize(1);
    }

    @Test
    void filesReplacedByPreviousReleaseAreRemoved() {
        // Given
        workspace.withRuns(10);
        workspace.assertCompacted(bucket, DAY);
        publishByJob();
        awaitPublished();

        // When: the previous release records a day without runs
        Traces.execute("""
                WITH replaced AS (DELETE FROM lake.files WHERE tenant_id = ? RETURNING tenant_id, key)
                INSERT INTO lake.obsolete_files (key, tenant_id) SELECT key, tenant_id FROM replaced
                """, workspace.tenantId());

        // Then
        await().untilAsserted(() -> assertThat(engine.files()).isEmpty());
    }

    @Test
    void tableWithFailedAttemptsIsReported() {
        // Given
        workspace.withRuns(10);
        workspace.assertCompacted(bucket, DAY);
        publishByJob();
        awaitPublished();

        // When, Then
        Traces.execute("UPDATE lake.tables SET attempts = 4, due_at = now() + interval '1 hour' WHERE tenant_id = ?",
                workspace.tenantId());
        await().untilAsserted(() -> assertThat(Management.get("/q/metrics"))
                .containsPattern("(?m)^waybill_lake_tables_failing(\\{})? 1\\.0$"));
        publishByJob();
        await().untilAsserted(() -> assertThat(Management.get("/q/metrics"))
                .containsPattern("(?m)^waybill_lake_tables_failing(\\{})? 0\\.0$"));
    }

    @Test
    void workspacesDoNotShareTables() {
        // Given
        LakeWorkspace other = LakeWorkspace.create().withRuns(5);
        workspace.withRuns(10);
        workspace.assertCompacted(bucket, DAY);
        other.assertCompacted(bucket, DAY);

        // When
        workspace.publishNow(NOW);
        other.publishNow(NOW);

        // Then
        try (EngineCatalog others = engine(other)) {
            assertThat(others.files()).extracting(DataFile::recordCount).containsExactly(5L);
            assertThat(engine.files()).extracting(DataFile::recordCount).containsExactly(10L);
            assertThat(engine.tables()).hasSize(1).doesNotContainAnyElementsOf(others.tables());
            assertThat(engine.exists(other.tenantId())).isFalse();
        }
    }

    @Test
    @Tag("full")
    void missingColumnIsAddedWithItsIdAndOthersAreKept() {
        // Given: the table of a release without one of the columns, to which a later one has added another
        workspace.withRuns(10);
        workspace.assertCompacted(bucket, DAY);
        workspace.publishNow(NOW);
        try (var owner = EngineCatalog.owner(workspace.store(), Bucket.name(), workspace.tenantId())) {
            owner.table().updateSchema().deleteColumn("serialized").addColumn("later", Types.LongType.get()).commit();
        }

        // When
        workspace.publishNow(NOW);

        // Then
        Table table = engine.table();
        assertThat(table.schema().findField("serialized").fieldId()).isEqualTo(FieldIds.column(ExportField.SERIALIZED));
        assertThat(table.schema().findField("later").fieldId()).isEqualTo(36);
        assertThat(table.properties().get("schema.name-mapping.default")).contains("later", "serialized");
    }

    private void changeRuns() {
        List<String> replaced = workspace.recordedKeys();
        Traces.execute("UPDATE trace.runs SET name = 'patched' WHERE tenant_id = ?", workspace.tenantId());
        await().untilAsserted(() -> {
            LakeWorkspace.planNow();
            assertThat(workspace.recordedKeys()).isNotEmpty().doesNotContainAnyElementsOf(replaced);
        });
    }

    private List<String> publishedKeys() {
        return engine.files().stream()
                .map(file -> file.location().substring(("s3://" + Bucket.name() + "/").length()))
                .sorted()
                .toList();
    }

    private List<String> remainingAfterCleanup() {
        Traces.execute("UPDATE lake.obsolete_files SET obsolete_since = now() - interval '2 hours' WHERE tenant_id = ?",
                workspace.tenantId());
        ReactiveDatabase.await(Arc.container().instance(ObsoleteFileCleanup.class).get().cleanUp());
        await().untilAsserted(() -> assertThat(Traces.all(
                "SELECT key FROM lake.obsolete_files WHERE tenant_id = ? AND NOT in_table", workspace.tenantId())).isEmpty());
        return workspace.dataKeys(bucket).stream().filter(key -> !IndexFormat.isIndex(key)).toList();
    }

    private void publishByJob() {
        Traces.execute("UPDATE lake.tables SET due_at = now() WHERE tenant_id = ?", workspace.tenantId());
    }

    private void awaitPublished() {
        await().untilAsserted(() -> assertThat(Traces.all(
                "SELECT 1 FROM lake.tables WHERE tenant_id = ? AND published = requests AND lease_until IS NULL"
                        + " AND due_at IS NULL",
                workspace.tenantId())).hasSize(1));
    }

    private void releaseLease() {
        Traces.execute("UPDATE lake.tables SET lease_until = now() WHERE tenant_id = ? AND lease_until IS NOT NULL",
                workspace.tenantId());
    }

    private EngineCatalog engine(LakeWorkspace of) {
        return EngineCatalog.reader(of.store(), Bucket.name(), of.tenantId());
    }

    private static long micros(Duration afterNoon) {
        return NOON.plus(afterNoon).atOffset(ZoneOffset.UTC).toEpochSecond() * 1_000_000;
    }
}
