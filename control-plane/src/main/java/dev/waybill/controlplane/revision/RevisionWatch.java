package dev.waybill.controlplane.revision;

import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;

/** Tells the waiters of this replica what the database has: one query for all of them, none while nobody waits. */
@Singleton
class RevisionWatch {

    private static final String VERSIONS = "SELECT id, updated_at, log_lines FROM deploy.revisions WHERE id = ANY ($1)";

    private final Database database;
    private final RevisionWaiters waiters;

    RevisionWatch(Database database, RevisionWaiters waiters) {
        this.database = database;
        this.waiters = waiters;
    }

    Uni<Void> look() {
        Set<UUID> waitedFor = waiters.revisions();
        if (waitedFor.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return database.everyWorkspace(connection -> connection.preparedQuery(VERSIONS)
                .execute(Tuple.of(waitedFor.toArray(UUID[]::new))))
                .map(RevisionWatch::versions)
                .invoke(waiters::sawVersions)
                .replaceWithVoid();
    }

    private static Map<UUID, Long> versions(RowSet<Row> rows) {
        return StreamSupport.stream(rows.spliterator(), false)
                .collect(Collectors.toMap(row -> row.getUUID("id"), row -> RevisionWaiters
                        .version(row.getOffsetDateTime("updated_at").toInstant(), row.getLong("log_lines"))));
    }
}
