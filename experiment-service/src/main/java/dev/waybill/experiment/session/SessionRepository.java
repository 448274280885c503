package dev.waybill.experiment.session;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.api.trace.SessionResponse;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** The sessions' rows. */
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
    // In the order of their names, so that two batches with the same new sessions do not wait for each other in a circle.
    private static final String INSERT_NAMED = """
            INSERT INTO trace.sessions (tenant_id, id, name, start_time, created_at, modified_at)
            SELECT $1, n.id, n.name, $4, $4, $4 FROM unnest($2::uuid[], $3::text[]) AS n (id, name) ORDER BY n.name
            ON CONFLICT DO NOTHING
            """;

    private static final String UPDATE = """
            UPDATE trace.sessions SET name = coalesce($3, name), description = coalesce($4, description),
                start_time = coalesce($5, start_time), end_time = coalesce($6, end_time), extra = coalesce($7, extra),
                default_dataset_id = coalesce($8, default_dataset_id),
                trace_tier = coalesce($9, trace_tier), modified_at = $10
            WHERE tenant_id = $1 AND id = $2
            RETURNING """ + " " + COLUMNS;

    private static final String NUMBER = "UPDATE trace.sessions SET test_run_number = $3 WHERE tenant_id = $1 AND id = $2 RETURNING "
            + COLUMNS;
    private static final String FIND = "SELECT " + COLUMNS + " FROM trace.sessions WHERE tenant_id = $1 AND id = $2";
    private static final String FIND_NAMED = "SELECT " + COLUMNS + " FROM trace.sessions WHERE tenant_id = $1 AND name = $2"
            + " AND NOT uploaded";
    // What traces name is never an uploaded experiment: that has its runs.
    private static final String IDS_OF_NAMES = """
            SELECT name, id FROM trace.sessions WHERE tenant_id = $1 AND name = ANY($2) AND NOT uploaded
            """;
    private static final String IDS = "SELECT id FROM trace.sessions WHERE tenant_id = $1 AND id = ANY($2)";

    private final ObjectMapper json;

    SessionRepository(ObjectMapper json) {
        this.json = json;
    }

    /** The new session, or nothing when its id or name is taken. */
    Uni<Optional<SessionResponse>> insert(SqlConnection connection, Tuple values) {
        return connection.preparedQuery(INSERT).execute(values).map(this::first);
    }

    /** The new experiment, or nothing when its name is taken in its dataset. */
    Uni<Optional<SessionResponse>> insertExperiment(SqlConnection connection, Tuple values) {
        return connection.preparedQuery(INSERT_EXPERIMENT).execute(values).map(this::first);
    }

    /** The session, which now has a number in its dataset. */
    Uni<SessionResponse> number(SqlConnection connection, UUID tenantId, UUID id, int testRunNumber) {
        return connection.preparedQuery(NUMBER)
                .execute(Tuple.of(tenantId, id, testRunNumber))
                .map(rows -> session(rows.iterator().next()));
    }

    /** The changed session, or nothing when there is none. */
    Uni<Optional<SessionResponse>> update(SqlConnection connection, Tuple values) {
        return connection.preparedQuery(UPDATE).execute(values).map(this::first);
    }

    Uni<SessionResponse> require(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(tenantId, id))
                .map(rows -> first(rows).orElseThrow(() -> ProblemException.notFound("session", id)));
    }

    Uni<Optional<SessionResponse>> findNamed(SqlConnection connection, UUID tenantId, String name) {
        return connection.preparedQuery(FIND_NAMED).execute(Tuple.of(tenantId, name)).map(this::first);
    }

    Uni<List<SessionResponse>> list(SqlConnection connection, UUID tenantId, SessionQuery query) {
        return connection.preparedQuery("SELECT " + COLUMNS + query.where() + query.orderAndPage())
                .execute(query.values(tenantId))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false).map(this::session).toList());
    }

    Uni<Long> count(SqlConnection connection, UUID tenantId, SessionQuery query) {
        return connection.preparedQuery("SELECT count(*)" + query.where())
                .execute(query.values(tenantId))
                .map(rows -> rows.iterator().next().getLong(0));
    }

    Uni<Map<String, UUID>> idsOfNames(SqlConnection connection, UUID tenantId, Set<String> names) {
        return connection.preparedQuery(IDS_OF_NAMES)
                .execute(Tuple.of(tenantId, names.toArray(String[]::new)))
                .map(rows -> {
                    Map<String, UUID> ids = new LinkedHashMap<>();
                    rows.forEach(row -> ids.put(row.getString(0), row.getUUID(1)));
                    return ids;
                });
    }

    Uni<Void> insertNamed(SqlConnection connection, Tuple values) {
        return connection.preparedQuery(INSERT_NAMED).execute(values).replaceWithVoid();
    }

    /** Those of the ids that are sessions of the workspace. */
    Uni<List<UUID>> existing(SqlConnection connection, UUID tenantId, Set<UUID> ids) {
        return connection.preparedQuery(IDS)
                .execute(Tuple.of(tenantId, ids.toArray(UUID[]::new)))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false).map(row -> row.getUUID(0)).toList());
    }

    private Optional<SessionResponse> first(RowSet<Row> rows) {
        var iterator = rows.iterator();
        return iterator.hasNext() ? Optional.of(session(iterator.next())) : Optional.empty();
    }

    private SessionResponse session(Row row) {
        var endTime = row.getOffsetDateTime("end_time");
        return new SessionResponse(row.getUUID("id"), row.getUUID("tenant_id"), row.getString("name"),
                row.getString("description"), row.getOffsetDateTime("start_time").toInstant(),
                endTime == null ? null : endTime.toInstant(), extra(row), row.getUUID("default_dataset_id"),
                row.getUUID("reference_dataset_id"), row.getString("trace_tier"), null, null, null, null, null, null, null,
                null, null, null, null, null, null, null, null, null, null, null, row.getInteger("test_run_number"));
    }

    private @Nullable ObjectNode extra(Row row) {
        String extra = row.getString("extra");
        try {
            return extra == null ? null : json.readValue(extra, ObjectNode.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the extra of session " + row.getUUID("id") + " is no JSON object", e);
        }
    }
}
