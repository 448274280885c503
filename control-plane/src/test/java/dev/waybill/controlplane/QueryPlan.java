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
 * How PostgreSQL reads what a statement asks for, without the way that a table of a few pages is read by: few rows say what
 * many
 * would.
 *
 * @param scans one for each table that is read
 */
public record QueryPlan(List<JsonObject> scans, String text) {

    /** The plan of a statement of one workspace. */
    public static QueryPlan of(Database database, UUID tenantId, String sql, Tuple values) {
        return of(database.inWorkspace(tenantId, connection -> explain(connection, sql, values)).await().indefinitely());
    }

    /** The plan of a statement of all workspaces; it is run, so that the rows it reads are known. */
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

    /** By what each table's rows are found; empty where the whole table is read. */
    public List<String> conditions() {
        return scans.stream().map(scan -> scan.getString("Index Cond", "")).toList();
    }

    /** How many rows are read altogether, wanted or not. */
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
