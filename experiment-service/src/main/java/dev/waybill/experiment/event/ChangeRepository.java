package dev.waybill.experiment.event;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.event.Change;
import dev.waybill.common.event.ChangeType;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads the changes of the last minutes. */
@Singleton
class ChangeRepository {

    // Skips rows that a replica is writing, which prevents deadlocks.
    private static final String DELETE_OLD = """
            DELETE FROM trace.recent_changes WHERE (tenant_id, type, id) IN (
                SELECT tenant_id, type, id FROM trace.recent_changes WHERE changed_at < now() - interval '2 minutes'
                FOR UPDATE SKIP LOCKED)
            """;
    // Longer than a transaction that writes changes can last.
    private static final String FIND_NEW = """
            SELECT tenant_id, type, id, session_id, dataset_id, deployment_id, changed_at FROM trace.recent_changes
            WHERE tenant_id = ANY($1) AND changed_at > now() - interval '15 seconds'
            """;
    private static final String FIND_SINCE = """
            SELECT tenant_id, type, id, session_id, dataset_id, deployment_id, changed_at FROM trace.recent_changes
            WHERE tenant_id = $1 AND changed_at >= $2 ORDER BY changed_at, type, id LIMIT $3
            """;
    // Changes that are being written have a time before now and become visible later. A restart can empty the table.
    private static final String POSITION = """
            SELECT now() - interval '2 seconds' AS position,
                $1::timestamptz >= greatest(now() - interval '1 minute', pg_postmaster_start_time()) AS is_known
            """;

    Uni<Void> deleteOld(SqlConnection connection) {
        return connection.query(DELETE_OLD).execute().replaceWithVoid();
    }

    /** Returns the newest changes of these workspaces; the same change is returned for several seconds. */
    Uni<List<StoredChange>> findNew(SqlConnection connection, UUID[] tenantIds) {
        return connection.preparedQuery(FIND_NEW)
                .execute(Tuple.tuple().addArrayOfUUID(tenantIds))
                .map(ChangeRepository::changes);
    }

    /** Returns the first changes since an instant. */
    Uni<List<StoredChange>> findSince(SqlConnection connection, UUID tenantId, Instant since, int limit) {
        return connection.preparedQuery(FIND_SINCE)
                .execute(Tuple.of(tenantId, since.atOffset(ZoneOffset.UTC), limit))
                .map(ChangeRepository::changes);
    }

    /** Returns the current position; the changes have to be read after it. */
    Uni<Position> position(SqlConnection connection, Instant since) {
        return connection.preparedQuery(POSITION)
                .execute(Tuple.of(since.atOffset(ZoneOffset.UTC)))
                .map(rows -> rows.iterator().next())
                .map(row -> new Position(row.getOffsetDateTime("position").toInstant(), row.getBoolean("is_known")));
    }

    private static List<StoredChange> changes(RowSet<Row> rows) {
        return rows.stream()
                .flatMap(row -> ChangeType.of(row.getString("type")).map(type -> change(row, type)).stream())
                .toList();
    }

    private static StoredChange change(Row row, ChangeType type) {
        return new StoredChange(new Change(row.getUUID("tenant_id"), type, row.getUUID("id"), row.getUUID("session_id"),
                row.getUUID("dataset_id"), row.getUUID("deployment_id")), row.getOffsetDateTime("changed_at"));
    }

    /** A change and the time at which it was written. */
    record StoredChange(Change change, OffsetDateTime changedAt) {
    }

    /**
     * The position of a reader: it has read all changes with an earlier time.
     *
     * @param isKnown whether all changes since the given instant are stored
     */
    record Position(Instant time, boolean isKnown) {
    }
}
