package dev.waybill.experiment.dataset;

import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** The steps of deleting a dataset: hide it, delete its examples in batches, delete its row. Every step may be repeated. */
@Singleton
public class DatasetRemovalSteps {

    private static final int BATCH_SIZE = 2_000;

    private static final String HIDE = """
            UPDATE trace.datasets SET removed_at = now() WHERE tenant_id = $1 AND id = $2 AND removed_at IS NULL
            """;
    private static final String DELETE_EXAMPLES = """
            DELETE FROM trace.examples WHERE tenant_id = $1 AND id = ANY (ARRAY(
                SELECT id FROM trace.examples WHERE tenant_id = $1 AND dataset_id = $2 LIMIT $3))
            """;
    private static final String DELETE_ROW = """
            DELETE FROM trace.datasets WHERE tenant_id = $1 AND id = $2 AND removed_at IS NOT NULL
            """;
    // Removals of the last minute are probably still in progress.
    private static final String FIND_INTERRUPTED = """
            SELECT tenant_id, id FROM trace.datasets WHERE removed_at < now() - interval '1 minute'
            ORDER BY removed_at LIMIT 100
            """;

    /** Hides the dataset; 404 if it does not exist. */
    public Uni<Void> hide(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(HIDE)
                .execute(Tuple.of(tenantId, id))
                .invoke(result -> {
                    if (result.rowCount() == 0) {
                        throw ProblemException.notFound("dataset", id);
                    }
                })
                .replaceWithVoid();
    }

    /** Deletes a batch of examples; returns whether there may be more. */
    public Uni<Boolean> deleteExamples(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(DELETE_EXAMPLES)
                .execute(Tuple.of(tenantId, id, BATCH_SIZE))
                .map(result -> result.rowCount() > 0);
    }

    /** Deletes the dataset's row, after everything else. */
    public Uni<Void> deleteRow(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(DELETE_ROW)
                .execute(Tuple.of(tenantId, id))
                .replaceWithVoid();
    }

    /** Returns removals that were started more than a minute ago. */
    public Uni<List<InterruptedRemoval>> findInterrupted(SqlConnection connection) {
        return connection.query(FIND_INTERRUPTED)
                .execute()
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(row -> new InterruptedRemoval(row.getUUID(0), row.getUUID(1)))
                        .toList());
    }

    /** A dataset whose removal is not finished. */
    public record InterruptedRemoval(UUID tenantId, UUID datasetId) {
    }
}
