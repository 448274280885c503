package dev.waybill.export.lake;

import java.time.Duration;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Database;
import dev.waybill.common.database.Rows;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.ObjectStore.ObjectPage;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;

/** Deletes replaced files, and the files and uploads of attempts that ended without a result. */
@Singleton
class ObsoleteFileCleanup {

    private static final Logger LOG = Logger.getLogger(ObsoleteFileCleanup.class);
    private static final int BATCH_SIZE = 100;
    /** Queries that began before a file was replaced still read it. */
    private static final Duration DELAY = Duration.ofHours(1);

    // Stored before the clock was set back.
    private static final String LIMIT_TIMES = "UPDATE lake.obsolete_files SET obsolete_since = now() WHERE obsolete_since > now()";
    // After this mark, the attempt cannot record its files.
    private static final String START_DELETION = """
            UPDATE lake.obsolete_files SET deletion_started = true
            WHERE key IN (
                SELECT key FROM lake.obsolete_files
                WHERE obsolete_since <= now() - make_interval(secs => $1) AND NOT in_table
                ORDER BY obsolete_since
                LIMIT $2
                FOR UPDATE SKIP LOCKED)
            RETURNING tenant_id, key
            """;
    private static final String DELETE = """
            DELETE FROM lake.obsolete_files WHERE tenant_id = $1 AND key = $2 AND deletion_started
            """;
    // A key that cannot be deleted must not block the others.
    private static final String POSTPONE = """
            UPDATE lake.obsolete_files SET obsolete_since = now() WHERE tenant_id = $1 AND key = $2 AND deletion_started
            """;

    private final Database database;
    private final LakeBucket bucket;

    ObsoleteFileCleanup(Database database, LakeBucket bucket) {
        this.database = database;
        this.bucket = bucket;
    }

    /** Deletes one batch of obsolete files. */
    Uni<Void> cleanUp() {
        return database.everyWorkspace(connection -> connection.query(LIMIT_TIMES).execute()
                .chain(() -> connection.preparedQuery(START_DELETION)
                        .execute(Tuple.of((double) DELAY.toSeconds(), BATCH_SIZE))))
                .map(rows -> Rows.list(rows, ObsoleteFileCleanup::file))
                .onItem().transformToMulti(files -> Multi.createFrom().iterable(files))
                .onItem().transformToUniAndConcatenate(this::delete)
                .collect().last()
                .replaceWithVoid();
    }

    private Uni<Void> delete(ObsoleteFile file) {
        return deleteObjects(bucket.store(), file.key())
                .chain(() -> execute(DELETE, file))
                .onFailure().call(failure -> postpone(file, failure))
                .onFailure().recoverWithNull();
    }

    private Uni<Void> postpone(ObsoleteFile file, Throwable failure) {
        LOG.warnf("an obsolete file of the lake could not be deleted; it is retried: tenant_id=%s key=%s reason=%s",
                file.tenantId(), file.key(), failure);
        return execute(POSTPONE, file);
    }

    // A key is the prefix of a file and its index; the prefix of an attempt is that of all its files.
    private static Uni<Void> deleteObjects(ObjectStore store, String prefix) {
        return store.listUploads(prefix)
                .onItem().transformToMulti(uploads -> Multi.createFrom().iterable(uploads))
                .filter(upload -> upload.key().startsWith(prefix))
                .onItem().transformToUniAndConcatenate(upload -> store.abort(upload.key(), upload.uploadId()))
                .collect().last()
                .chain(() -> deletePage(store, prefix, null));
    }

    private static Uni<Void> deletePage(ObjectStore store, String prefix, @Nullable String token) {
        return store.list(prefix, token)
                .call(page -> Multi.createFrom().iterable(page.objects())
                        .onItem().transformToUniAndConcatenate(object -> store.delete(object.key()))
                        .collect().last())
                .map(ObjectPage::nextToken)
                .chain(next -> next == null ? Uni.createFrom().voidItem() : deletePage(store, prefix, next));
    }

    private Uni<Void> execute(String sql, ObsoleteFile file) {
        return database.inWorkspace(file.tenantId(), connection -> connection.preparedQuery(sql)
                .execute(Tuple.of(file.tenantId(), file.key()))
                .replaceWithVoid());
    }

    private static ObsoleteFile file(Row row) {
        return new ObsoleteFile(row.getUUID("tenant_id"), row.getString("key"));
    }

    /** A key or the prefix of keys to delete. */
    private record ObsoleteFile(UUID tenantId, String key) {
    }
}
