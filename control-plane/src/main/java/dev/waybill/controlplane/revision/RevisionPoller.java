package dev.waybill.controlplane.revision;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Notifies the waiters of this replica of changes by other replicas: one query for all waiters, none without waiters.
 */
@Singleton
class RevisionPoller {

    static final String VERSIONS = """
            SELECT r.id, r.updated_at, r.log_lines
            FROM unnest($1::uuid[], $2::uuid[]) AS waited (tenant_id, id)
            JOIN deploy.revisions AS r ON r.tenant_id = waited.tenant_id AND r.id = waited.id
            """;

    private final Database database;
    private final RevisionWaiters waiters;

    RevisionPoller(Database database, RevisionWaiters waiters) {
        this.database = database;
        this.waiters = waiters;
    }

    /** Polls for changes by other replicas while clients wait. */
    @Scheduled(identity = "revision-watch", every = "1s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> poll() {
        Map<UUID, UUID> awaited = waiters.revisions();
        if (awaited.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        List<Map.Entry<UUID, UUID>> keys = List.copyOf(awaited.entrySet());
        return database.everyWorkspace(connection -> connection.preparedQuery(VERSIONS)
                .execute(Tuple.of(keys.stream().map(Map.Entry::getValue).toArray(UUID[]::new),
                        keys.stream().map(Map.Entry::getKey).toArray(UUID[]::new))))
                .map(RevisionPoller::versions)
                .invoke(waiters::onVersions)
                .replaceWithVoid();
    }

    private static Map<UUID, Long> versions(RowSet<Row> rows) {
        return StreamSupport.stream(rows.spliterator(), false)
                .collect(Collectors.toMap(row -> row.getUUID("id"), row -> RevisionWaiters
                        .version(row.getOffsetDateTime("updated_at").toInstant(), row.getLong("log_lines"))));
    }
}
