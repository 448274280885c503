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
import dev.waybill.experiment.comparison.ComparisonScope.Experiment;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Finds what is to be compared. */
@Singleton
class ComparedExperimentRepository {

    private static final String FIND = """
            SELECT id, name, reference_dataset_id = $2 IS TRUE AS fits FROM trace.sessions
            WHERE tenant_id = $1 AND id = ANY($3)
            """;

    /**
     * The experiments, and the baseline behind them when it is not one of them.
     *
     * @throws ProblemException 404 for what is no session of the workspace, 422 for all that are of another dataset
     */
    Uni<List<Experiment>> require(SqlConnection connection, UUID tenantId, UUID datasetId, List<UUID> wanted,
            @Nullable UUID baseline) {
        List<UUID> ids = new ArrayList<>(wanted.stream().distinct().toList());
        if (baseline != null && !ids.contains(baseline)) {
            ids.add(baseline);
        }
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(tenantId, datasetId, ids.toArray(UUID[]::new)))
                .map(rows -> checked(rows, wanted, ids));
    }

    private static List<Experiment> checked(RowSet<Row> rows, List<UUID> wanted, List<UUID> ids) {
        Map<UUID, Row> found = new HashMap<>();
        rows.forEach(row -> found.put(row.getUUID("id"), row));
        List<Violation> strangers = new ArrayList<>();
        List<Experiment> experiments = new ArrayList<>();
        for (UUID id : ids) {
            Row row = found.get(id);
            if (row == null) {
                throw ProblemException.notFound("experiment", id);
            }
            if (!row.getBoolean("fits")) {
                int place = wanted.indexOf(id);
                strangers.add(new Violation(place < 0 ? List.of("baseline_experiment_id") : List.of("experiment_ids", place),
                        "must be an experiment of this dataset; " + id + " is not", "invalid"));
            }
            experiments.add(new Experiment(id, row.getString("name")));
        }
        if (!strangers.isEmpty()) {
            throw ProblemException.invalid(strangers);
        }
        return experiments;
    }
}
