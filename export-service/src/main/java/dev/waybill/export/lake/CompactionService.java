package dev.waybill.export.lake;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Database;
import dev.waybill.common.id.Ids;
import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseTable;
import dev.waybill.common.lake.IndexFormat;
import dev.waybill.export.lake.CompactedDay.LakeFile;
import dev.waybill.export.parquet.ExportField;
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.parquet.WrittenFile;
import dev.waybill.export.run.FileLimits;
import dev.waybill.export.trace.Snapshot;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Stores the progress and the results of compactions; every statement that changes one compares the lease's token. */
@Singleton
class CompactionService {

    /** Maximum delay of another attempt. */
    static final Duration MAX_DELAY = Duration.ofHours(1);

    private static final String BEGIN = """
            UPDATE lake.compactions
            SET state = 'running', attempts = attempts + 1, cluster = (SELECT system_identifier FROM pg_control_system())
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3
            RETURNING day, attempts
            """;
    private static final String ADD_DAY = """
            INSERT INTO trace.lake_days (tenant_id, day) VALUES ($1, $2) ON CONFLICT DO NOTHING
            """;
    private static final String ADD_PREFIX = """
            INSERT INTO lake.obsolete_files (key, tenant_id, in_table) VALUES ($2, $1, false)
            """;
    private static final String KEEP_PREFIX = """
            UPDATE lake.obsolete_files SET obsolete_since = now()
            WHERE tenant_id = $1 AND key = $2 AND NOT deletion_started
            """;
    private static final String RELEASE_PREFIX = """
            DELETE FROM lake.obsolete_files WHERE tenant_id = $1 AND key = $2 AND NOT deletion_started
            """;

    // A later time than the maximum delay was stored before the clock was set back; so was a day that is not over.
    private static final String RUNNABLE = """
            t.state IN ('pending', 'running') AND (t.next_attempt_at <= clock_timestamp()
                OR t.next_attempt_at > clock_timestamp() + interval '%s seconds')
            AND t.day < ((clock_timestamp() - interval '%s milliseconds') AT TIME ZONE 'UTC')::date
            """;
    // The newest days are read most.
    private static final String ORDER = "t.day DESC, t.tenant_id";

    // Not pg_snapshot_xmax, which only follows the last transaction that has ended: an active one can have a later id.
    private static final String BARRIER = "SELECT pg_current_xact_id()::text";
    private static final String PASSED = "SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8";

    // Changes of the current day are not recorded; it can be a compacted one after the clock was set back.
    private static final String RECORD = """
            UPDATE lake.compactions
            SET state = $4, snapshot = $5, rows = $6, bytes = $7, max_row_bytes = $8, compacted_at = now(),
                pending_since = NULL, error_code = NULL, attempts = 0, lease_until = NULL, lease_owner = NULL
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND state = 'running'
                AND day < (clock_timestamp() AT TIME ZONE 'UTC')::date
                AND cluster = (SELECT system_identifier FROM pg_control_system())
            """;
    private static final String OBSOLETE_FILES = """
            INSERT INTO lake.obsolete_files (key, tenant_id, in_table)
            SELECT key, tenant_id, true FROM lake.files WHERE tenant_id = $1 AND day = $2
            """;
    private static final String DELETE_FILES = "DELETE FROM lake.files WHERE tenant_id = $1 AND day = $2";
    private static final String INSERT_FILE = """
            INSERT INTO lake.files (tenant_id, day, index, key, rows, bytes, min_start, max_start, index_bytes, index_version,
                has_latency)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """;
    // Readers whose snapshot is older see the previous result with these changes.
    private static final String DELETE_CHANGES = """
            DELETE FROM trace.lake_changes
            WHERE tenant_id = $1 AND day = $2 AND pg_visible_in_snapshot(xid, $3::text::pg_snapshot)
            """;
    private static final String RETRY_LATER = """
            UPDATE lake.compactions
            SET state = 'pending', error_code = $4, next_attempt_at = now() + make_interval(secs => $5), lease_until = NULL,
                lease_owner = NULL
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3
            """;

    private final Database database;
    private final Ids ids;
    private final LakeBucket bucket;
    private final FileLimits limits;
    private final LeaseTable leases;

    CompactionService(Database database, Ids ids, LakeBucket bucket, LakeConfig config, FileLimits limits) {
        this.database = database;
        this.ids = ids;
        this.bucket = bucket;
        this.limits = limits;
        this.leases = new LeaseTable("lake.compactions",
                RUNNABLE.formatted(MAX_DELAY.toSeconds(), config.closeAfter().toMillis()), ORDER);
    }

    LeaseTable leases() {
        return leases;
    }

    /** Starts an attempt: from now on writers record their changes of the day, and cleanup knows the attempt's files. */
    Uni<Compaction> begin(Lease lease) {
        UUID attempt = ids.newId();
        return database.inWorkspace(lease.tenantId(), connection -> connection.preparedQuery(BEGIN)
                .execute(Tuple.of(lease.tenantId(), lease.id(), lease.token()))
                .invoke(rows -> lease.requireHeld(rows.rowCount()))
                .map(rows -> compaction(lease, rows.iterator().next(), attempt))
                .call(started -> execute(connection, ADD_DAY, lease.tenantId(), started.day()))
                .call(started -> execute(connection, ADD_PREFIX, lease.tenantId(), started.prefix())));
    }

    private Compaction compaction(Lease lease, Row row, UUID attempt) {
        LocalDate day = row.getLocalDate("day");
        return new Compaction(lease, day, row.getInteger("attempts"), bucket.attemptPrefix(lease.tenantId(), day, attempt));
    }

    /** Returns the id of a new transaction; writers with an earlier one may not have seen the day. */
    Uni<String> barrier(Lease lease) {
        return database.inWorkspace(lease.tenantId(), connection -> connection.preparedQuery(BARRIER)
                .execute()
                .map(rows -> rows.iterator().next().getString(0)));
    }

    /** Returns whether all transactions before the barrier have ended. */
    Uni<Boolean> isPassed(Lease lease, String barrier) {
        return database.inWorkspace(lease.tenantId(), connection -> connection.preparedQuery(PASSED)
                .execute(Tuple.of(barrier))
                .map(rows -> rows.iterator().next().getBoolean(0)));
    }

    /** Keeps the files of a running attempt from being deleted, in a transaction of the caller. */
    Uni<Void> keepFiles(SqlConnection connection, Compaction compaction) {
        return connection.preparedQuery(KEEP_PREFIX)
                .execute(Tuple.of(compaction.lease().tenantId(), compaction.prefix()))
                .invoke(updated -> compaction.lease().requireHeld(updated.rowCount()))
                .replaceWithVoid();
    }

    /** Replaces the day's files; the previous ones become obsolete. */
    Uni<Void> record(Compaction compaction, CompactedDay day) {
        Lease lease = compaction.lease();
        return database.inWorkspace(lease.tenantId(), connection -> record(connection, lease, "compacted", day, null)
                .chain(() -> connection.preparedQuery(RELEASE_PREFIX)
                        .execute(Tuple.of(lease.tenantId(), compaction.prefix())))
                .invoke(released -> lease.requireHeld(released.rowCount()))
                .chain(() -> replaceFiles(connection, compaction, day)));
    }

    /** Records that readers must read the day from PostgreSQL. */
    Uni<Void> recordUnsupported(Compaction compaction, Snapshot snapshot) {
        CompactedDay none = new CompactedDay(snapshot, List.of());
        return database.inWorkspace(compaction.lease().tenantId(),
                connection -> record(connection, compaction.lease(), "unsupported", none, limits.maxRowBytes())
                        .chain(() -> replaceFiles(connection, compaction, none)));
    }

    /** Stores the error and schedules another attempt after the delay. */
    Uni<Void> retryLater(Lease lease, String code, Duration delay) {
        return database.inWorkspace(lease.tenantId(), connection -> connection.preparedQuery(RETRY_LATER)
                .execute(Tuple.of(lease.tenantId(), lease.id(), lease.token(), code, delay.toMillis() / 1000.0))
                .invoke(updated -> lease.requireHeld(updated.rowCount()))
                .replaceWithVoid());
    }

    private static Uni<Void> record(SqlConnection connection, Lease lease, String state, CompactedDay day,
            @Nullable Long maxRowBytes) {
        return connection.preparedQuery(RECORD)
                .execute(Tuple.tuple(Arrays.asList(lease.tenantId(), lease.id(), lease.token(), state,
                        day.snapshot().transactions(), day.rows(), day.bytes(), maxRowBytes)))
                .invoke(updated -> lease.requireHeld(updated.rowCount()))
                .replaceWithVoid();
    }

    private static Uni<Void> replaceFiles(SqlConnection connection, Compaction compaction, CompactedDay day) {
        UUID tenantId = compaction.lease().tenantId();
        return PublicationService.request(connection, tenantId)
                .chain(() -> execute(connection, OBSOLETE_FILES, tenantId, compaction.day()))
                .chain(() -> execute(connection, DELETE_FILES, tenantId, compaction.day()))
                .chain(() -> day.files().isEmpty() ? Uni.createFrom().voidItem()
                        : connection.preparedQuery(INSERT_FILE)
                                .executeBatch(day.files().stream().map(file -> values(compaction, file)).toList())
                                .replaceWithVoid())
                .chain(() -> execute(connection, DELETE_CHANGES, tenantId, compaction.day(), day.snapshot().transactions()));
    }

    private static Tuple values(Compaction compaction, LakeFile file) {
        WrittenFile content = file.content();
        return Tuple.tuple(Arrays.asList(compaction.lease().tenantId(), compaction.day(), content.index(), file.upload().key(),
                content.rows(), content.bytes(), content.minStartTime().atOffset(ZoneOffset.UTC),
                content.maxStartTime().atOffset(ZoneOffset.UTC), file.index().size(), IndexFormat.VERSION,
                ExportSchema.lake().fields().contains(ExportField.LATENCY)));
    }

    private static Uni<Void> execute(SqlConnection connection, String sql, Object... values) {
        return connection.preparedQuery(sql).execute(Tuple.tuple(Arrays.asList(values))).replaceWithVoid();
    }
}
