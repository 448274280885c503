package dev.waybill.experiment.feedback;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.RawValue;

import dev.waybill.common.api.experiment.FeedbackResponse;
import dev.waybill.common.database.Rows;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads and writes rows of feedback. */
@Singleton
class FeedbackRepository {

    static final String COLUMNS = """
            id, tenant_id, run_id, session_id, key, score, value, comment, correction, source, config, extra, created_at,
                modified_at,
                (SELECT r.trace_id FROM trace.run_places p JOIN trace.runs r USING (tenant_id, session_id, start_time, id)
                WHERE p.tenant_id = feedback.tenant_id AND p.id = feedback.run_id) AS trace_id
            """;
    // Feedback that arrived before its run has no session id, so the run's session is checked, too.
    static final String NOT_REMOVED = """
            NOT EXISTS (SELECT FROM trace.session_removals removed WHERE removed.tenant_id = feedback.tenant_id
                AND (removed.session_id = feedback.session_id OR removed.session_id = (SELECT place.session_id
                    FROM trace.run_places place WHERE place.tenant_id = feedback.tenant_id AND place.id = feedback.run_id)))
            """;
    private static final String UPDATE = """
            UPDATE trace.feedback SET score = CASE WHEN $3 THEN $4 ELSE score END,
                value = CASE WHEN $5 THEN $6 ELSE value END, label = CASE WHEN $5 THEN $7 ELSE label END,
                comment = CASE WHEN $8 THEN $9 ELSE comment END,
                correction = CASE WHEN $10 THEN $11 ELSE correction END, modified_at = $12
            WHERE tenant_id = $1 AND id = $2 AND {not_removed}
            RETURNING {columns}
            """.replace("{not_removed}", NOT_REMOVED).replace("{columns}", COLUMNS);
    private static final String FIND = "SELECT " + COLUMNS + " FROM trace.feedback WHERE tenant_id = $1 AND id = $2 AND "
            + NOT_REMOVED;
    private static final String LIST = "SELECT " + COLUMNS + " FROM trace.feedback WHERE " + FeedbackQuery.WHERE + " AND "
            + NOT_REMOVED + " ORDER BY created_at DESC, id DESC LIMIT ";
    private static final String COUNT = "SELECT count(*) FROM trace.feedback WHERE " + FeedbackQuery.WHERE + " AND "
            + NOT_REMOVED;
    private static final String REMOVE = "DELETE FROM trace.feedback WHERE tenant_id = $1 AND id = $2 AND " + NOT_REMOVED;
    private static final String SESSION_EXISTS = "SELECT FROM trace.sessions WHERE tenant_id = $1 AND id = $2";

    private final ObjectMapper json;

    FeedbackRepository(ObjectMapper json) {
        this.json = json;
    }

    /** Updates the feedback; empty if it does not exist. */
    Uni<Optional<FeedbackResponse>> update(SqlConnection connection, Tuple values) {
        return connection.preparedQuery(UPDATE).execute(values).map(this::first);
    }

    Uni<Optional<FeedbackResponse>> find(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(FIND).execute(Tuple.of(tenantId, id)).map(this::first);
    }

    Uni<List<FeedbackResponse>> list(SqlConnection connection, UUID tenantId, FeedbackQuery query) {
        return connection.preparedQuery(LIST + query.page().limit() + " OFFSET " + query.page().offset())
                .execute(query.values(tenantId))
                .map(rows -> Rows.list(rows, this::feedback));
    }

    Uni<Long> count(SqlConnection connection, UUID tenantId, FeedbackQuery query) {
        return connection.preparedQuery(COUNT)
                .execute(query.values(tenantId))
                .map(rows -> rows.iterator().next().getLong(0));
    }

    /** Deletes the feedback; returns whether it existed. */
    Uni<Boolean> remove(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(REMOVE)
                .execute(Tuple.of(tenantId, id))
                .map(result -> result.rowCount() == 1);
    }

    Uni<Void> requireSession(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(SESSION_EXISTS)
                .execute(Tuple.of(tenantId, id))
                .invoke(rows -> {
                    if (rows.size() == 0) {
                        throw ProblemException.notFound("session", id);
                    }
                })
                .replaceWithVoid();
    }

    private Optional<FeedbackResponse> first(RowSet<Row> rows) {
        return Rows.findFirst(rows, this::feedback);
    }

    FeedbackResponse feedback(Row row) {
        return new FeedbackResponse(row.getUUID("id"), row.getUUID("tenant_id"), row.getUUID("run_id"),
                row.getUUID("trace_id"), row.getUUID("session_id"), row.getString("key"), row.getDouble("score"),
                node(row, "value"),
                row.getString("comment"), node(row, "correction"), node(row, "source"), node(row, "config"),
                node(row, "extra"), row.getOffsetDateTime("created_at").toInstant(),
                row.getOffsetDateTime("modified_at").toInstant());
    }

    private @Nullable JsonNode node(Row row, String column) {
        String text = row.getString(column);
        try {
            return text == null ? null : json.readTree(text);
        } catch (JsonProcessingException | NumberFormatException e) {
            // Uploads store documents unchanged; one with a number that no parser accepts is returned as raw JSON.
            return json.getNodeFactory().rawValueNode(new RawValue(String.valueOf(text)));
        }
    }
}
