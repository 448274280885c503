package dev.waybill.controlplane;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.waybill.common.database.Database;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * The query plan of a statement with sequential scans disabled, so that small test tables are read like large ones.
 *
 * @param scans one for each scanned table
 */
public record QueryPlan(List<JsonObject> scans, String text) {

    /** Returns the plan of a statement of one workspace. */
    public static QueryPlan of(Database database, UUID tenantId, String sql, Tuple values) {
        return of(database.inWorkspace(tenantId, connection -> explain(connection, sql, values)).await().indefinitely());
    }

    /** Returns the plan of a statement of all workspaces; executes it to get the number of rows. */
    public static Uni<QueryPlan> ofAll(SqlConnection connection, String sql, Tuple values) {
        return explain(connection, sql, values).map(QueryPlan::of);
    }

    private static Uni<JsonArray> explain(SqlConnection connection, String sql, Tuple values) {
        return connection.query("SET LOCAL enable_seqscan = off").execute()
                .chain(() -> connection.preparedQuery("EXPLAIN (ANALYZE, FORMAT JSON) " + sql).execute(values))
                .map(rows -> new JsonArray(rows.iterator().next().getValue(0).toString()));
    }

    private static QueryPlan of(JsonArray plan) {
        List<JsonObject> scans = new ArrayList<>();
        collect(plan.getJsonObject(0).getJsonObject("Plan"), scans);
        return new QueryPlan(scans, plan.encodePrettily());
    }

    /** Returns the index condition of each scan; empty for a full scan. */
    public List<String> conditions() {
        return scans.stream().map(scan -> scan.getString("Index Cond", "")).toList();
    }

    /** Returns the total number of rows read, including rows removed by filters. */
    public long rows() {
        return scans.stream().mapToLong(QueryPlan::rows).sum();
    }

    private static long rows(JsonObject scan) {
        double perLoop = scan.getDouble("Actual Rows") + scan.getDouble("Rows Removed by Filter", 0.0)
                + scan.getDouble("Rows Removed by Index Recheck", 0.0);
        return Math.round(perLoop * scan.getDouble("Actual Loops"));
    }

    private static void collect(JsonObject node, List<JsonObject> scans) {
        if (node.containsKey("Relation Name")) {
            scans.add(node);
        }
        node.getJsonArray("Plans", new JsonArray()).forEach(child -> collect((JsonObject) child, scans));
    }
}
