package dev.waybill.common.event;

import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Database;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Writes recorded changes to the table of experiment-service, from which its replicas read them. */
@Singleton
public class ChangeWriter {

    // In the order of the key, so that replicas with the same changes do not deadlock.
    private static final String WRITE = """
            INSERT INTO trace.recent_changes (tenant_id, type, id, session_id, dataset_id, deployment_id, changed_at)
            SELECT tenant_id, type, id, session_id, dataset_id, deployment_id, clock_timestamp()
            FROM (SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[])
                    AS change (tenant_id, type, id, session_id, dataset_id, deployment_id) ORDER BY tenant_id, type, id) AS change
            ON CONFLICT (tenant_id, type, id) DO UPDATE SET session_id = excluded.session_id,
                dataset_id = excluded.dataset_id, deployment_id = excluded.deployment_id, changed_at = clock_timestamp()
            """;
    // Positions assume that a change becomes visible soon after its time.
    private static final String LIMIT_WRITE = "SELECT set_config('statement_timeout', '1s', true)";

    private final Database database;
    private final ChangeRecorder recorder;

    public ChangeWriter(Database database, ChangeRecorder recorder) {
        this.database = database;
        this.recorder = recorder;
    }

    /** Writes the changes that were recorded; they remain recorded if that fails. */
    public Uni<Void> write() {
        List<Change> changes = recorder.drain();
        return changes.isEmpty() ? Uni.createFrom().voidItem()
                : write(changes).onFailure().invoke(failure -> recorder.restore(changes));
    }

    /** Writes the changes that were recorded, and discards them if that fails. */
    public Uni<Void> writeOrDiscard() {
        List<Change> changes = recorder.drain();
        return changes.isEmpty() ? Uni.createFrom().voidItem() : write(changes);
    }

    private Uni<Void> write(List<Change> changes) {
        return database.everyWorkspace(connection -> write(connection, changes));
    }

    private static Uni<Void> write(SqlConnection connection, List<Change> changes) {
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
                .addArrayOfUUID(ids(changes, Change::datasetId))
                .addArrayOfUUID(ids(changes, Change::deploymentId));
    }

    private static @Nullable UUID[] ids(List<Change> changes, Function<Change, @Nullable UUID> id) {
        return changes.stream().map(id).toArray(UUID[]::new);
    }
}
