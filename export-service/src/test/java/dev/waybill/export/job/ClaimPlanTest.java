package dev.waybill.export.job;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.Tuple;

/** The cost of claims and lists, measured in rows that PostgreSQL reads, independent of the machine. */
class ClaimPlanTest {

    private static final int RUNS_OF_AN_EXPORT = 1_000;

    @ParameterizedTest
    @ValueSource(ints = { 1, 12 })
    void claimReadsFewRowsWithManyWaitingRuns(int exports) {
        try (ExportQueue queue = new ExportQueue(Map.of())) {
            // Given
            UUID workspace = queue.workspace();
            for (int i = 0; i < exports; i++) {
                queue.create(workspace, RUNS_OF_AN_EXPORT);
            }
            queue.claim(20);
            queue.execute("ANALYZE export.runs");
            queue.execute("ANALYZE export.bulk_exports");

            // When
            List<JsonObject> scans = scans(queue);

            // Then
            assertThat(scans).extracting(scan -> scan.getString("Node Type")).isNotEmpty();
            long looked = scans.stream().filter(scan -> scan.getString("Relation Name").equals("runs"))
                    .mapToLong(ClaimPlanTest::rows).sum();
            assertThat(looked).as(scans.toString()).isPositive().isLessThan(150);
        }
    }

    @Test
    void admissionDoesNotReadWaitingExportsAboveLimit() {
        try (ExportQueue queue = new ExportQueue(Map.of())) {
            // Given
            UUID workspace = queue.workspace();
            queue.create(workspace, 5);
            queue.execute("""
                    INSERT INTO export.bulk_exports (tenant_id, id, destination_id, session_id, start_time, end_time,
                        key_prefix, format, format_version, compression, status)
                    SELECT tenant_id, gen_random_uuid(), destination_id, session_id, start_time, end_time, key_prefix,
                        format, format_version, compression, 'Created'
                    FROM export.bulk_exports, generate_series(1, 10000)
                    """);
            queue.claim();
            assertThat(queue.query("SELECT count(*) FROM export.bulk_exports WHERE status = 'Running'")).isEqualTo(15L);
            queue.execute("VACUUM ANALYZE export.bulk_exports");

            // When
            List<JsonObject> toClaim = scans(queue);
            List<JsonObject> toAdmit = scans(queue, ExportLifecycleService.ADMIT.replace("$1", "15"));

            // Then
            assertThat(toClaim.stream().mapToLong(ClaimPlanTest::rows).sum()).as(toClaim.toString()).isPositive()
                    .isLessThan(150);
            assertThat(toAdmit.stream().mapToLong(ClaimPlanTest::rows).sum()).as(toAdmit.toString()).isPositive()
                    .isLessThan(150);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "status", "session", "destination", "window" })
    void filteredListReadsMatchingExportsOnly(String filter) {
        try (ExportQueue queue = new ExportQueue(Map.of())) {
            // Given
            UUID workspace = queue.workspace();
            UUID found = queue.create(workspace, 1);
            UUID destination = queue.workspace();
            UUID session = (UUID) queue.query("SELECT session_id FROM export.bulk_exports WHERE id = ?", found);
            queue.execute("""
                    INSERT INTO export.bulk_exports (tenant_id, id, destination_id, session_id, start_time, end_time,
                        key_prefix, format, format_version, compression, status, started_at, finished_at,
                        source_bulk_export_id, window_number)
                    SELECT tenant_id, gen_random_uuid(), destination_id, gen_random_uuid(), start_time, end_time, key_prefix,
                        format, format_version, compression, 'Completed', now(), now(), id, number
                    FROM export.bulk_exports, generate_series(1, 10000) AS number
                    """);
            // A status that has no index of its own.
            queue.execute("""
                    UPDATE export.bulk_exports SET status = 'Failed', started_at = now(), finished_at = now()
                    WHERE status = 'Created'
                    """);
            queue.execute("VACUUM ANALYZE export.bulk_exports");
            BulkExportFilter selected = BulkExportFilter.parse(new BulkExportFilter.Parameters(
                    filter.equals("status") ? "Failed" : null, null, filter.equals("window") ? "false" : null,
                    filter.equals("session") ? session.toString() : null,
                    filter.equals("destination") ? destination.toString() : null, "50", null));

            // When
            List<JsonObject> scans = scans(queue, BulkExportRepository.list(selected),
                    selected.values(workspace).addInteger(50).addInteger(0));

            // Then
            assertThat(scans).isNotEmpty();
            assertThat(scans.stream().mapToLong(ClaimPlanTest::rows).sum()).as(scans.toString()).isLessThan(10);
        }
    }

    @Test
    void warningsCompareDistinctSettingsOnly() {
        try (ExportQueue queue = new ExportQueue(Map.of())) {
            // Given
            UUID workspace = queue.workspace();
            queue.create(workspace, 1);
            queue.execute("""
                    INSERT INTO export.bulk_exports (tenant_id, id, destination_id, session_id, start_time, end_time,
                        key_prefix, format, format_version, compression, status)
                    SELECT tenant_id, gen_random_uuid(), destination_id, session_id, start_time, end_time, key_prefix,
                        format, format_version, compression, status
                    FROM export.bulk_exports, generate_series(1, 1000)
                    """);

            // When
            List<JsonObject> sorts = nodes(queue, "Function Name", BulkExportRepository.OTHERS,
                    Tuple.of(workspace, workspace, "", "v1").addArrayOfString(new String[] { "id" })
                            .addArrayOfString(new String[] { "id", "name" }));

            // Then
            assertThat(sorts).singleElement().extracting(sort -> sort.getDouble("Actual Loops")).isEqualTo(1.0);
        }
    }

    /** Returns the nodes of the executed plan that read a table. */
    private static List<JsonObject> scans(ExportQueue queue) {
        return scans(queue, queue.parts.dueQuery().replace("$3", "1"));
    }

    private static List<JsonObject> scans(ExportQueue queue, String sql) {
        return scans(queue, sql, Tuple.tuple());
    }

    private static List<JsonObject> scans(ExportQueue queue, String sql, Tuple values) {
        return nodes(queue, "Relation Name", sql, values);
    }

    /** Returns the nodes of the executed plan that have the member. */
    private static List<JsonObject> nodes(ExportQueue queue, String member, String sql, Tuple values) {
        JsonArray plan = await(queue.database.everyWorkspace(connection -> connection
                .preparedQuery("EXPLAIN (ANALYZE, FORMAT JSON) " + sql)
                .execute(values)
                .map(rows -> new JsonArray(rows.iterator().next().getValue(0).toString()))));
        List<JsonObject> found = new ArrayList<>();
        collect(plan.getJsonObject(0).getJsonObject("Plan"), member, found);
        return found;
    }

    private static void collect(JsonObject node, String member, List<JsonObject> found) {
        if (node.containsKey(member)) {
            found.add(node);
        }
        node.getJsonArray("Plans", new JsonArray()).forEach(child -> collect((JsonObject) child, member, found));
    }

    private static long rows(JsonObject scan) {
        double perLoop = scan.getDouble("Actual Rows") + scan.getDouble("Rows Removed by Filter", 0.0)
                + scan.getDouble("Rows Removed by Index Recheck", 0.0);
        return Math.round(perLoop * scan.getDouble("Actual Loops"));
    }
}
