package dev.waybill.experiment.comparison;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.experiment.comparison.ComparisonScopeService.ComparisonScope.Experiment;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads the experiments to compare. */
@Singleton
class ComparedExperimentRepository {

    private static final String FIND = """
            SELECT id, name, reference_dataset_id = $2 IS TRUE AS in_dataset FROM trace.sessions
            WHERE tenant_id = $1 AND id = ANY($3)
            """;

    /**
     * Returns the experiments, followed by the baseline if it is not one of them.
     *
     * @throws ProblemException 404 if a session does not exist in the workspace, 422 with all that belong to another
     *         dataset
     */
    Uni<List<Experiment>> require(SqlConnection connection, UUID tenantId, UUID datasetId, List<UUID> requested,
            @Nullable UUID baseline) {
        List<UUID> ids = new ArrayList<>(requested.stream().distinct().toList());
        if (baseline != null && !ids.contains(baseline)) {
            ids.add(baseline);
        }
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(tenantId, datasetId, ids.toArray(UUID[]::new)))
                .map(rows -> checked(rows, requested, ids));
    }

    private static List<Experiment> checked(RowSet<Row> rows, List<UUID> requested, List<UUID> ids) {
        Map<UUID, Row> found = new HashMap<>();
        rows.forEach(row -> found.put(row.getUUID("id"), row));
        List<Violation> violations = new ArrayList<>();
        List<Experiment> experiments = new ArrayList<>();
        for (UUID id : ids) {
            Row row = found.get(id);
            if (row == null) {
                throw ProblemException.notFound("experiment", id);
            }
            if (!row.getBoolean("in_dataset")) {
                int index = requested.indexOf(id);
                violations.add(new Violation(index < 0 ? List.of("baseline_experiment_id") : List.of("experiment_ids", index),
                        "must be an experiment of this dataset; " + id + " is not", "invalid"));
            }
            experiments.add(new Experiment(id, row.getString("name")));
        }
        ProblemException.throwIfAny(violations);
        return experiments;
    }
}
