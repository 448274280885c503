package dev.waybill.experiment.run;

import java.util.EnumSet;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

import jakarta.inject.Singleton;

import dev.waybill.common.api.trace.RunResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.database.Rows;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads single runs. */
@Singleton
public class RunLookupService {

    private static final String FIND = "SELECT " + RunResponseMapper.columns(EnumSet.allOf(RunField.class))
            + """
                     FROM trace.run_places JOIN trace.runs USING (tenant_id, session_id, start_time, id)
                    WHERE tenant_id = $1 AND id = $2 AND {not_removed}
                    """.replace("{not_removed}", RemovedSessions.excludedFrom("runs"));

    private static final String FIND_DOTTED_ORDER = """
            SELECT dotted_order FROM trace.run_places JOIN trace.runs USING (tenant_id, session_id, start_time, id)
            WHERE tenant_id = $1 AND id = $2 AND {not_removed}
            """.replace("{not_removed}", RemovedSessions.excludedFrom("runs"));

    private final Database database;
    private final AttachmentLinks links;

    RunLookupService(Database database, AttachmentLinks links) {
        this.database = database;
        this.links = links;
    }

    /** Returns a run; responds with 404 if it does not exist. */
    public Uni<RunResponse> get(UUID tenantId, UUID id) {
        return find(FIND, tenantId, id, row -> RunResponseMapper.read(tenantId, row, links))
                .map(found -> found.orElseThrow(() -> ProblemException.notFound("run", id)));
    }

    /** Returns the dotted order of a run, if the run exists. */
    public Uni<Optional<String>> findDottedOrder(UUID tenantId, UUID id) {
        return find(FIND_DOTTED_ORDER, tenantId, id, row -> row.getString(0));
    }

    private <T> Uni<Optional<T>> find(String statement, UUID tenantId, UUID id, Function<Row, T> mapper) {
        return database.inWorkspace(tenantId, connection -> connection.preparedQuery(statement)
                .execute(Tuple.of(tenantId, id))
                .map(rows -> Rows.findFirst(rows, mapper)));
    }
}
