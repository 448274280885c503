package dev.waybill.experiment.run;

import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.trace.RunResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;

/** Reads single runs. */
@Singleton
public class RunService {

    private final Database database;
    private final RunRepository runs;

    RunService(Database database, RunRepository runs) {
        this.database = database;
        this.runs = runs;
    }

    /** Returns a run; responds with 404 if it does not exist. */
    public Uni<RunResponse> get(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> runs.find(connection, tenantId, id))
                .map(found -> found.orElseThrow(() -> ProblemException.notFound("run", id)));
    }

    /** Returns the dotted order of a run, if the run exists. */
    public Uni<Optional<String>> findDottedOrder(UUID tenantId, UUID id) {
        return database.inWorkspace(tenantId, connection -> runs.findDottedOrder(connection, tenantId, id));
    }
}
