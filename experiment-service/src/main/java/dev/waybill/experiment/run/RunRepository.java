package dev.waybill.experiment.run;

import java.util.EnumSet;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.trace.RunResponse;
import dev.waybill.experiment.link.AttachmentLinks;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads single runs. */
@Singleton
class RunRepository {

    private static final String FIND = "SELECT " + RunRowMapper.columns(EnumSet.allOf(RunField.class))
            + """
                     FROM trace.run_places JOIN trace.runs USING (tenant_id, session_id, start_time, id)
                    WHERE tenant_id = $1 AND id = $2 AND {not_removed}
                    """.replace("{not_removed}", RemovedSessions.excludedFrom("runs"));

    private static final String FIND_DOTTED_ORDER = """
            SELECT dotted_order FROM trace.run_places JOIN trace.runs USING (tenant_id, session_id, start_time, id)
            WHERE tenant_id = $1 AND id = $2 AND {not_removed}
            """.replace("{not_removed}", RemovedSessions.excludedFrom("runs"));

    private final AttachmentLinks links;

    RunRepository(AttachmentLinks links) {
        this.links = links;
    }

    Uni<Optional<RunResponse>> find(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(tenantId, id))
                .map(rows -> first(rows).map(row -> RunRowMapper.read(tenantId, row, links)));
    }

    /** Returns the dotted order of a run, if the run exists. */
    Uni<Optional<String>> findDottedOrder(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(FIND_DOTTED_ORDER)
                .execute(Tuple.of(tenantId, id))
                .map(rows -> first(rows).map(row -> row.getString(0)));
    }

    private static Optional<Row> first(RowSet<Row> rows) {
        var iterator = rows.iterator();
        return iterator.hasNext() ? Optional.of(iterator.next()) : Optional.empty();
    }
}
