package dev.waybill.experiment.session;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.api.trace.SessionResponse;
import dev.waybill.common.database.Rows;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads and writes the rows of sessions. */
@Singleton
class SessionRepository {

    private static final String COLUMNS = """
            id, tenant_id, name, description, start_time, end_time, extra, default_dataset_id, reference_dataset_id, trace_tier,
                test_run_number
            """;

    private static final String INSERT = """
            INSERT INTO trace.sessions (tenant_id, id, name, description, start_time, end_time, extra, default_dataset_id,
                reference_dataset_id, trace_tier, created_at, modified_at)
            SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce($10, 'longlived'), $11, $11
            WHERE NOT EXISTS (SELECT FROM trace.session_removals WHERE tenant_id = $1 AND session_id = $2)
            ON CONFLICT DO NOTHING
            RETURNING """ + " " + COLUMNS;

    private static final String INSERT_EXPERIMENT = """
            INSERT INTO trace.sessions (tenant_id, id, name, description, start_time, end_time, extra, reference_dataset_id,
                test_run_number, uploaded, created_at, modified_at)
            VALUES ($1, $2, $3, $4, $5, $6, convert_from($7, 'UTF8'), $8, $9, true, $10, $10)
            ON CONFLICT DO NOTHING
            RETURNING """ + " " + COLUMNS;
    private static final String UPDATE = """
            UPDATE trace.sessions SET name = coalesce($3, name), description = coalesce($4, description),
                start_time = coalesce($5, start_time), end_time = coalesce($6, end_time), extra = coalesce($7, extra),
                default_dataset_id = coalesce($8, default_dataset_id),
                trace_tier = coalesce($9, trace_tier), modified_at = $10
            WHERE tenant_id = $1 AND id = $2
            RETURNING """ + " " + COLUMNS;

    private static final String SET_NUMBER = "UPDATE trace.sessions SET test_run_number = $3 WHERE tenant_id = $1 AND id = $2 RETURNING "
            + COLUMNS;
    private static final String FIND = "SELECT " + COLUMNS + " FROM trace.sessions WHERE tenant_id = $1 AND id = $2";
    private static final String FIND_ALL = "SELECT " + COLUMNS + " FROM trace.sessions WHERE tenant_id = $1 AND id = ANY($2)"
            + " ORDER BY array_position($2, id)";
    private static final String FIND_BY_NAME = "SELECT " + COLUMNS + " FROM trace.sessions WHERE tenant_id = $1 AND name = $2"
            + " AND NOT uploaded";

    private final ObjectMapper json;

    SessionRepository(ObjectMapper json) {
        this.json = json;
    }

    /** Returns the new session; empty if its id or name is taken. */
    Uni<Optional<SessionResponse>> insert(SqlConnection connection, Tuple values) {
        return connection.preparedQuery(INSERT).execute(values).map(this::first);
    }

    /** Returns the new experiment; empty if its name is taken in its dataset. */
    Uni<Optional<SessionResponse>> insertExperiment(SqlConnection connection, Tuple values) {
        return connection.preparedQuery(INSERT_EXPERIMENT).execute(values).map(this::first);
    }

    /** Sets the number of an experiment in its dataset and returns the session. */
    Uni<SessionResponse> setNumber(SqlConnection connection, UUID tenantId, UUID id, int testRunNumber) {
        return connection.preparedQuery(SET_NUMBER)
                .execute(Tuple.of(tenantId, id, testRunNumber))
                .map(rows -> session(rows.iterator().next()));
    }

    /** Returns the updated session; empty if it does not exist. */
    Uni<Optional<SessionResponse>> update(SqlConnection connection, Tuple values) {
        return connection.preparedQuery(UPDATE).execute(values).map(this::first);
    }

    Uni<SessionResponse> require(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(tenantId, id))
                .map(rows -> first(rows).orElseThrow(() -> ProblemException.notFound("session", id)));
    }

    Uni<Optional<SessionResponse>> findByName(SqlConnection connection, UUID tenantId, String name) {
        return connection.preparedQuery(FIND_BY_NAME).execute(Tuple.of(tenantId, name)).map(this::first);
    }

    Uni<List<SessionResponse>> list(SqlConnection connection, UUID tenantId, SessionQuery query) {
        return connection.preparedQuery("SELECT " + COLUMNS + query.where() + query.orderAndPage())
                .execute(query.values(tenantId))
                .map(rows -> Rows.list(rows, this::session));
    }

    /** Returns the ids of all sessions that match the query. */
    Uni<List<UUID>> ids(SqlConnection connection, UUID tenantId, SessionQuery query) {
        return connection.preparedQuery("SELECT id" + query.where())
                .execute(query.values(tenantId))
                .map(rows -> Rows.list(rows, row -> row.getUUID("id")));
    }

    /** Returns the sessions in the order of the ids. */
    Uni<List<SessionResponse>> find(SqlConnection connection, UUID tenantId, List<UUID> ids) {
        return connection.preparedQuery(FIND_ALL)
                .execute(Tuple.of(tenantId, ids.toArray(UUID[]::new)))
                .map(rows -> Rows.list(rows, this::session));
    }

    Uni<Long> count(SqlConnection connection, UUID tenantId, SessionQuery query) {
        return connection.preparedQuery("SELECT count(*)" + query.where())
                .execute(query.values(tenantId))
                .map(rows -> rows.iterator().next().getLong(0));
    }

    private Optional<SessionResponse> first(RowSet<Row> rows) {
        return Rows.findFirst(rows, this::session);
    }

    private SessionResponse session(Row row) {
        return new SessionResponse(row.getUUID("id"), row.getUUID("tenant_id"), row.getString("name"),
                row.getString("description"), row.getOffsetDateTime("start_time").toInstant(),
                Rows.instant(row, "end_time"), extra(row), row.getUUID("default_dataset_id"),
                row.getUUID("reference_dataset_id"), row.getString("trace_tier"), null, null, null, null, null, null, null,
                null, null, null, null, null, null, null, null, null, null, null, row.getInteger("test_run_number"));
    }

    private @Nullable ObjectNode extra(Row row) {
        String extra = row.getString("extra");
        try {
            return extra == null ? null : json.readValue(extra, ObjectNode.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the extra of session " + row.getUUID("id") + " is not a JSON object", e);
        }
    }
}
