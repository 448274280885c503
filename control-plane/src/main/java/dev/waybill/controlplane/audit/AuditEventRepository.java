package dev.waybill.controlplane.audit;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.audit.AuditEventResponse;
import dev.waybill.common.api.audit.AuditOutcome;
import dev.waybill.common.database.Rows;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads and deletes rows of account.audit_events, which the services insert (dev.waybill.common.audit). */
@Singleton
class AuditEventRepository {

    /** Allows events without a workspace to be read, in addition to those of the workspace. */
    private static final String SET_ORGANIZATION = "SELECT set_config('waybill.organization_id', $1, true)";
    private static final String MATCHING = """
            occurred_at >= $3 AND (occurred_at, id) < ($4, $5)
                AND ($6::text IS NULL OR actor_id = $6) AND ($7::uuid IS NULL OR resource_id = $7)
                AND (cardinality($8::text[]) = 0 OR outcome = ANY ($8)) AND (cardinality($9::text[]) = 0 OR method = ANY ($9))
                AND ($11::uuid IS NULL OR id = $11)
            ORDER BY occurred_at DESC, id DESC
            LIMIT $10
            """;
    // Each part reads its index in order. Revoked keys remain in their table. The names of keys of other workspaces are for
    // callers of the whole organization only.
    static final String LIST = """
            SELECT e.*, k.name AS actor_name, changed.name AS resource_name
            FROM ((SELECT * FROM account.audit_events WHERE tenant_id = $1 AND %1$s)
                UNION ALL
                (SELECT * FROM account.audit_events WHERE tenant_id IS NULL AND organization_id = $2 AND %1$s)) AS e
            LEFT JOIN account.api_keys AS k ON k.organization_id = e.organization_id
                AND k.id = CASE WHEN e.actor = 'api_key' THEN e.actor_id::uuid END
            LEFT JOIN account.api_keys AS changed ON changed.organization_id = e.organization_id
                AND changed.id = CASE WHEN e.route LIKE '/v1/api-keys%%' THEN e.resource_id END
                AND (changed.workspace_id = e.tenant_id OR changed.organization_id = $2)
            ORDER BY e.occurred_at DESC, e.id DESC
            LIMIT $10
            """.formatted(MATCHING);
    private static final String DELETE_EXPIRED = """
            DELETE FROM account.audit_events WHERE id IN (
                SELECT id FROM account.audit_events
                WHERE occurred_at < now() - make_interval(secs => $1)
                ORDER BY occurred_at
                LIMIT $2)
            """;

    /**
     * Returns the newest events that match.
     *
     * @param organizationId organization whose events without a workspace are included; null for none
     */
    Uni<List<AuditEventResponse>> list(SqlConnection connection, UUID tenantId, @Nullable UUID organizationId,
            AuditEventQuery query, int limit) {
        Tuple values = Tuple.tuple()
                .addUUID(tenantId)
                .addUUID(organizationId)
                .addOffsetDateTime(query.from().atOffset(ZoneOffset.UTC))
                .addOffsetDateTime(query.before().occurredAt().atOffset(ZoneOffset.UTC))
                .addUUID(query.before().id())
                .addString(query.actorId())
                .addUUID(query.resourceId())
                .addArrayOfString(query.outcomes().toArray(String[]::new))
                .addArrayOfString(query.methods().toArray(String[]::new))
                .addInteger(limit)
                .addUUID(query.eventId());
        return connection.preparedQuery(SET_ORGANIZATION)
                .execute(Tuple.of(organizationId == null ? "" : organizationId.toString()))
                .chain(() -> connection.preparedQuery(LIST).execute(values))
                .map(rows -> Rows.list(rows, AuditEventRepository::response));
    }

    /** Deletes at most {@code limit} events that are older; returns the number of deleted events. */
    Uni<Integer> deleteExpired(SqlConnection connection, Duration age, int limit) {
        return connection.preparedQuery(DELETE_EXPIRED)
                .execute(Tuple.of((double) age.toSeconds(), limit))
                .map(deleted -> deleted.rowCount());
    }

    private static AuditEventResponse response(Row row) {
        return new AuditEventResponse(row.getUUID("id"), row.getOffsetDateTime("occurred_at").toInstant(),
                row.getUUID("tenant_id"), row.getString("service"), row.getString("actor"), row.getString("actor_id"),
                row.getString("actor_name"), row.getString("method"), row.getString("route"), row.getString("path"),
                row.getUUID("resource_id"), row.getString("resource_name"), AuditOutcome.parse(row.getString("outcome")),
                row.getInteger("status"),
                row.getString("client_address"), row.getString("user_agent"), row.getString("request_id"));
    }
}
