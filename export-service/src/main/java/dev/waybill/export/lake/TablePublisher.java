package dev.waybill.export.lake;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.lake.CrashPoint.Step;
import dev.waybill.export.lake.PublicationService.Attempt;
import dev.waybill.export.lake.PublicationService.TableFiles;
import dev.waybill.export.lake.iceberg.LakeCatalog;
import dev.waybill.export.lake.iceberg.ObjectFileIO;
import dev.waybill.export.lake.iceberg.RunsTable;
import dev.waybill.export.lake.iceberg.RunsTable.Publication;
import dev.waybill.export.lake.iceberg.Waiting;

/** Makes the files of a workspace's compacted days the content of its table. */
@Singleton
class TablePublisher {

    private static final Duration READ_TIMEOUT = Duration.ofMinutes(1);

    private final PublicationService publications;
    private final LakeBucket bucket;
    private final DataSource database;
    private final CrashPoint crash;

    TablePublisher(PublicationService publications, LakeBucket bucket, DataSource database, CrashPoint crash) {
        this.publications = publications;
        this.bucket = bucket;
        this.database = database;
        this.crash = crash;
    }

    /**
     * Commits the present files; blocks.
     *
     * @param now the time by which snapshots are old enough to be removed
     */
    Result publish(Attempt attempt, Instant now) {
        UUID tenantId = attempt.lease().tenantId();
        try (LakeCatalog catalog = openCatalog()) {
            // Before the files are read: if they change meanwhile, the publication of that change lets this commit fail.
            RunsTable table = catalog.open(tenantId, fileIO().location(bucket.tableKey(tenantId)));
            crash.reached(tenantId, Step.TABLE_LOADED);
            TableFiles files = Waiting.await(publications.files(tenantId), READ_TIMEOUT);
            Publication published = table.publish(files.files(), files.obsoleteKeys(), attempt.requests(), now);
            crash.reached(tenantId, Step.TABLE_COMMITTED);
            table.deleteUnusedMetadata();
            crash.reached(tenantId, Step.TABLE_CLEANED);
            return new Result(files, published);
        }
    }

    /** Opens the catalog with a connection of the pool. */
    LakeCatalog openCatalog() {
        return new LakeCatalog(database, fileIO(), "s3://" + bucket.name());
    }

    private ObjectFileIO fileIO() {
        return new ObjectFileIO(bucket.store(), bucket.name());
    }

    /** The files that were published, and what the table refers to. */
    record Result(TableFiles files, Publication publication) {

        /** Returns the replaced files that the table does not refer to. */
        List<String> released() {
            return files.obsoleteKeys().stream()
                    .filter(publication.unreferencedKeys()::contains)
                    .toList();
        }

        int snapshots() {
            return publication.snapshots();
        }

        @Nullable
        Instant nextDue() {
            return publication.nextDue();
        }
    }
}
