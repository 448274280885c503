package dev.waybill.experiment.v2;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import dev.waybill.common.database.Rows;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;

/** Resolves the projects (sessions) of a query. */
@Singleton
class ProjectRepository {

    private static final int MAX_PROJECTS = 100;
    private static final String OF_DATASET = """
            SELECT id FROM trace.sessions WHERE tenant_id = $1 AND reference_dataset_id = $2 LIMIT\s""" + (MAX_PROJECTS + 1);
    private static final String EXISTS = "SELECT FROM trace.sessions WHERE tenant_id = $1 AND id = $2";

    private final Database database;

    ProjectRepository(Database database) {
        this.database = database;
    }

    /** Returns the ids of the experiments on a dataset; responds with 422 if there are too many. */
    Uni<List<UUID>> ofDataset(UUID tenantId, UUID datasetId) {
        return database.inWorkspace(tenantId, connection -> connection.preparedQuery(OF_DATASET)
                .execute(Tuple.of(tenantId, datasetId)))
                .map(rows -> Rows.list(rows, row -> row.getUUID(0)))
                .invoke(ids -> {
                    if (ids.size() > MAX_PROJECTS) {
                        throw ProblemException.invalid(Violation.of("reference_dataset_id", "has more than " + MAX_PROJECTS
                                + " experiments; select some of them with project_ids", "invalid"));
                    }
                });
    }

    /** Requires that the project exists; responds with 404 otherwise. */
    Uni<Void> require(UUID tenantId, UUID projectId) {
        return database.inWorkspace(tenantId, connection -> connection.preparedQuery(EXISTS)
                .execute(Tuple.of(tenantId, projectId)))
                .invoke(rows -> {
                    if (rows.size() == 0) {
                        throw ProblemException.notFound("session", projectId);
                    }
                })
                .replaceWithVoid();
    }
}
