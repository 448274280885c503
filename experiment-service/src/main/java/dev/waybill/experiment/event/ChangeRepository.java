package dev.waybill.experiment.event;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Writes and reads the changes of the last minutes. */
@Singleton
class ChangeRepository {

    // In the order of the key, so that replicas with the same changes do not deadlock.
    private static final String WRITE = """
            INSERT INTO trace.recent_changes (tenant_id, type, id, session_id, dataset_id, changed_at)
            SELECT tenant_id, type, id, session_id, dataset_id, clock_timestamp()
            FROM (SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::uuid[])
                    AS change (tenant_id, type, id, session_id, dataset_id) ORDER BY tenant_id, type, id) AS change
            ON CONFLICT (tenant_id, type, id) DO UPDATE SET session_id = excluded.session_id,
                dataset_id = excluded.dataset_id, changed_at = clock_timestamp()
            """;
    // Positions assume that a change becomes visible soon after its time.
    private static final String LIMIT_WRITE = "SELECT set_config('statement_timeout', '1s', true)";
    // Skips rows that a replica is writing, which prevents deadlocks.
    private static final String DELETE_OLD = """
            DELETE FROM trace.recent_changes WHERE (tenant_id, type, id) IN (
                SELECT tenant_id, type, id FROM trace.recent_changes WHERE changed_at < now() - interval '2 minutes'
                FOR UPDATE SKIP LOCKED)
            """;
    // Longer than a transaction that writes changes can last.
    private static final String FIND_NEW = """
            SELECT tenant_id, type, id, session_id, dataset_id, changed_at FROM trace.recent_changes
            WHERE tenant_id = ANY($1) AND changed_at > now() - interval '15 seconds'
            """;
    private static final String FIND_SINCE = """
            SELECT tenant_id, type, id, session_id, dataset_id, changed_at FROM trace.recent_changes
            WHERE tenant_id = $1 AND changed_at >= $2 ORDER BY changed_at, type, id LIMIT $3
            """;
    // Changes that are being written have a time before now and become visible later. A restart can empty the table.
    private static final String POSITION = """
            SELECT now() - interval '2 seconds' AS position,
                $1::timestamptz >= greatest(now() - interval '1 minute', pg_postmaster_start_time()) AS is_known
            """;

    Uni<Void> write(SqlConnection connection, List<Change> changes) {
        return connection.query(LIMIT_WRITE).execute()
                .chain(() -> connection.preparedQuery(WRITE).execute(values(changes)))
                .replaceWithVoid();
    }

    private static Tuple values(List<Change> changes) {
        return Tuple.tuple()
                .addArrayOfUUID(ids(changes, Change::tenantId))
                .addArrayOfString(changes.stream().map(change -> change.type().wireName()).toArray(String[]::new))
                .addArrayOfUUID(ids(changes, Change::id))
                .addArrayOfUUID(ids(changes, Change::sessionId))
                .addArrayOfUUID(ids(changes, Change::datasetId));
    }

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

    private static @Nullable UUID[] ids(List<Change> changes, Function<Change, @Nullable UUID> id) {
        return changes.stream().map(id).toArray(UUID[]::new);
    }

    private static List<StoredChange> changes(RowSet<Row> rows) {
        return StreamSupport.stream(rows.spliterator(), false)
                .flatMap(row -> ChangeType.of(row.getString("type")).map(type -> change(row, type)).stream())
                .toList();
    }

    private static StoredChange change(Row row, ChangeType type) {
        return new StoredChange(new Change(row.getUUID("tenant_id"), type, row.getUUID("id"), row.getUUID("session_id"),
                row.getUUID("dataset_id")), row.getOffsetDateTime("changed_at"));
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
