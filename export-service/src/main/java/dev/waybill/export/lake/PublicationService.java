package dev.waybill.export.lake;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Database;
import dev.waybill.common.database.Rows;
import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseTable;
import dev.waybill.export.lake.iceberg.PublishedFile;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Stores which workspaces' tables lack changes of their files, and what the tables may still refer to. */
@Singleton
class PublicationService {

    /** Days that are compacted within this time share a commit; each commit rewrites lists of files. */
    private static final Duration DELAY = Duration.ofSeconds(30);
    /** Minimum interval between publications without a further request. */
    private static final Duration MIN_INTERVAL = Duration.ofSeconds(5);
    /** Retained snapshots from which on publications are less frequent, because each reads the manifest lists of all. */
    private static final int MANY_SNAPSHOTS = 12;
    private static final Duration INTERVAL_WITH_MANY_SNAPSHOTS = Duration.ofMinutes(5);
    // A later time than the interval was stored before the clock was set back.
    private static final String DUE = """
            t.due_at <= clock_timestamp() AND (t.not_before IS NULL OR t.not_before <= clock_timestamp()
                OR t.not_before > clock_timestamp() + interval '%s seconds')
            """.formatted(INTERVAL_WITH_MANY_SNAPSHOTS.toSeconds());

    private static final String REQUEST = """
            INSERT INTO lake.tables AS t (tenant_id, due_at) VALUES ($1, now() + make_interval(secs => $2))
            ON CONFLICT (tenant_id) DO UPDATE
            SET requests = t.requests + 1, due_at = least(t.due_at, excluded.due_at)
            """;
    // Replicas of the previous release replace files without a request.
    private static final String REQUEST_MISSED = """
            UPDATE lake.tables AS t SET requests = t.requests + 1, due_at = now()
            WHERE t.due_at IS NULL AND EXISTS (
                SELECT FROM lake.obsolete_files AS o WHERE o.tenant_id = t.tenant_id AND o.in_table)
            """;
    private static final String BEGIN = """
            UPDATE lake.tables SET attempts = attempts + 1
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3
            RETURNING requests, attempts
            """;
    private static final String FILES = """
            SELECT day, key, rows, bytes FROM lake.files WHERE tenant_id = $1 ORDER BY day, index
            """;
    private static final String OBSOLETE_FILES = """
            SELECT key FROM lake.obsolete_files WHERE tenant_id = $1 AND in_table
            """;
    // Not at once: the clock that decides whether a snapshot has expired may be behind that of the database.
    private static final String RECORD = """
            UPDATE lake.tables
            SET published = $4, published_at = now(), attempts = 0, error_code = NULL, lease_until = NULL, lease_owner = NULL,
                not_before = now() + make_interval(secs => $7),
                due_at = CASE WHEN requests > $4 THEN now()
                    WHEN $5::timestamptz IS NOT NULL THEN greatest($5::timestamptz, now() + make_interval(secs => $6)) END
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3
            """;
    private static final String RELEASE_FILES = """
            UPDATE lake.obsolete_files SET in_table = false WHERE tenant_id = $1 AND key = ANY ($2)
            """;
    private static final String RETRY_LATER = """
            UPDATE lake.tables
            SET error_code = $4, due_at = now() + make_interval(secs => $5), lease_until = NULL, lease_owner = NULL
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3
            """;

    private final Database database;
    private final LeaseTable leases = new LeaseTable("lake.tables", DUE, "t.due_at, t.tenant_id");

    PublicationService(Database database) {
        this.database = database;
    }

    LeaseTable leases() {
        return leases;
    }

    /** Requests a publication, in the transaction that changes files. */
    static Uni<Void> request(SqlConnection connection, UUID tenantId) {
        return connection.preparedQuery(REQUEST)
                .execute(Tuple.of(tenantId, seconds(DELAY)))
                .replaceWithVoid();
    }

    /** Requests the publications of workspaces whose files were replaced without a request. */
    Uni<Void> requestMissed() {
        return database.everyWorkspace(connection -> connection.query(REQUEST_MISSED).execute())
                .replaceWithVoid();
    }

    /** Starts an attempt. */
    Uni<Attempt> begin(Lease lease) {
        return database.inWorkspace(lease.tenantId(), connection -> connection.preparedQuery(BEGIN)
                .execute(Tuple.of(lease.tenantId(), lease.id(), lease.token()))
                .invoke(rows -> lease.requireHeld(rows.rowCount()))
                .map(rows -> rows.iterator().next())
                .map(row -> new Attempt(lease, row.getLong("requests"), row.getInteger("attempts"))));
    }

    /** Returns the files of all days, and the replaced files that the table may still refer to. */
    Uni<TableFiles> files(UUID tenantId) {
        return database.inWorkspace(tenantId, connection -> connection.preparedQuery(FILES)
                .execute(Tuple.of(tenantId))
                .chain(files -> connection.preparedQuery(OBSOLETE_FILES)
                        .execute(Tuple.of(tenantId))
                        .map(obsolete -> new TableFiles(Rows.list(files, PublicationService::file),
                                Rows.list(obsolete, row -> row.getString("key"))))));
    }

    /**
     * Records that the table contains the files.
     *
     * @param released replaced files that no snapshot of the table refers to any longer, so they may be deleted
     * @param snapshots the number of snapshots of the table
     * @param nextDue when further files can be added or snapshots be removed; null if none
     */
    Uni<Void> record(Attempt attempt, List<String> released, int snapshots, @Nullable Instant nextDue) {
        Lease lease = attempt.lease();
        Duration minInterval = snapshots < MANY_SNAPSHOTS ? MIN_INTERVAL : INTERVAL_WITH_MANY_SNAPSHOTS;
        return database.inWorkspace(lease.tenantId(), connection -> connection.preparedQuery(RECORD)
                .execute(Tuple.tuple(Arrays.asList(lease.tenantId(), lease.id(), lease.token(), attempt.requests(),
                        nextDue == null ? null : nextDue.atOffset(ZoneOffset.UTC), seconds(MIN_INTERVAL),
                        seconds(minInterval))))
                .invoke(updated -> lease.requireHeld(updated.rowCount()))
                .chain(() -> connection.preparedQuery(RELEASE_FILES)
                        .execute(Tuple.of(lease.tenantId(), released.toArray(String[]::new))))
                .replaceWithVoid());
    }

    /** Stores the error and schedules another attempt after the delay. */
    Uni<Void> retryLater(Lease lease, String code, Duration delay) {
        return database.inWorkspace(lease.tenantId(), connection -> connection.preparedQuery(RETRY_LATER)
                .execute(Tuple.of(lease.tenantId(), lease.id(), lease.token(), code, seconds(delay)))
                .invoke(updated -> lease.requireHeld(updated.rowCount()))
                .replaceWithVoid());
    }

    private static PublishedFile file(Row row) {
        return new PublishedFile(row.getLocalDate("day"), row.getString("key"), row.getLong("rows"), row.getLong("bytes"));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }

    /**
     * An attempt to publish a workspace's files.
     *
     * @param requests the number of changes before the files were read
     * @param number number of attempts since the last success, with this one
     */
    record Attempt(Lease lease, long requests, int number) {
    }

    /**
     * The files of a workspace.
     *
     * @param obsoleteKeys keys of replaced files that must not be deleted yet
     */
    record TableFiles(List<PublishedFile> files, List<String> obsoleteKeys) {

        TableFiles {
            files = List.copyOf(files);
            obsoleteKeys = List.copyOf(obsoleteKeys);
        }
    }
}
