package dev.waybill.experiment.dataset;

import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** The steps in which a dataset goes: it is hidden, then its examples go some at a time, its row last. Each may be repeated. */
@Singleton
public class DatasetRemovalSteps {

    private static final int EXAMPLES_AT_ONCE = 2_000;

    private static final String BEGIN = """
            UPDATE trace.datasets SET removed_at = now() WHERE tenant_id = $1 AND id = $2 AND removed_at IS NULL
            """;
    private static final String REMOVE_EXAMPLES = """
            DELETE FROM trace.examples WHERE tenant_id = $1 AND id = ANY (ARRAY(
                SELECT id FROM trace.examples WHERE tenant_id = $1 AND dataset_id = $2 LIMIT $3))
            """;
    private static final String END = """
            DELETE FROM trace.datasets WHERE tenant_id = $1 AND id = $2 AND removed_at IS NOT NULL
            """;
    // Those of the last minute are most likely just being worked on.
    private static final String LEFT_BEHIND = """
            SELECT tenant_id, id FROM trace.datasets WHERE removed_at < now() - interval '1 minute'
            ORDER BY removed_at LIMIT 100
            """;

    /** Hides the dataset; 404 when it is not there. */
    public Uni<Void> begin(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(BEGIN)
                .execute(Tuple.of(tenantId, id))
                .invoke(result -> {
                    if (result.rowCount() == 0) {
                        throw ProblemException.notFound("dataset", id);
                    }
                })
                .replaceWithVoid();
    }

    /** Removes some of its examples; whether there may be more. */
    public Uni<Boolean> removeSomeExamples(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(REMOVE_EXAMPLES)
                .execute(Tuple.of(tenantId, id, EXAMPLES_AT_ONCE))
                .map(result -> result.rowCount() > 0);
    }

    /** Removes its row, once nothing else of it is left. */
    public Uni<Void> end(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(END)
                .execute(Tuple.of(tenantId, id))
                .replaceWithVoid();
    }

    /** Removals that were begun a while ago. */
    public Uni<List<Begun>> leftBehind(SqlConnection connection) {
        return connection.query(LEFT_BEHIND)
                .execute()
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(row -> new Begun(row.getUUID(0), row.getUUID(1)))
                        .toList());
    }

    /** A dataset on its way out. */
    public record Begun(UUID tenantId, UUID datasetId) {
    }
}
