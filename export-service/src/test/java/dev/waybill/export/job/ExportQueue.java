package dev.waybill.export.job;

import static dev.waybill.common.database.ReactiveDatabase.await;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.enterprise.event.Event;

import dev.waybill.common.database.Database;
import dev.waybill.common.database.ReactiveDatabase;
import dev.waybill.common.event.ChangeRecorder;
import dev.waybill.common.id.Ids;
import dev.waybill.common.job.Lease;
import dev.waybill.common.notification.NotificationWriter;
import dev.waybill.common.telemetry.Telemetry;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.export.run.ExportRunService.WorkAvailable;
import dev.waybill.export.run.RunParts;
import dev.waybill.export.trace.Snapshot;
import io.smallrye.mutiny.Uni;

/** Exports and runs in a separate database, with the real services and without workers. */
final class ExportQueue implements AutoCloseable {

    static final Duration LONG = Duration.ofHours(1);
    /** A snapshot for attempts whose snapshot is irrelevant. */
    static final Snapshot SEEN = new Snapshot("1:1:", Instant.EPOCH);

    private static final TestDatabase WHERE = migrated();

    // Shared by all tests until the JVM ends.
    private static final Database DATABASE = new ReactiveDatabase(WHERE, "waybill_export").database();

    private final Connection connection = WHERE.superuser();
    final Database database = DATABASE;
    final RunParts parts;
    final BulkExportRepository exports;
    final ExportLifecycleService outcomes;
    final BulkExportService service;

    /** Creates a queue with the given values below {@code waybill.export.limits} and defaults for the others. */
    ExportQueue(Map<String, String> limits) {
        execute("TRUNCATE export.destinations, export.bulk_exports, export.runs, export.files, export.uploads, export.checkpoints,"
                + " export.verifications");
        parts = RunParts.of(database, limits);
        exports = new BulkExportRepository(parts.limits(), Telemetry.disabled());
        outcomes = new ExportLifecycleService(database, exports, parts.runs(), parts.attempts(), parts.limits(),
                new ChangeRecorder(), new ExportNotifications(new NotificationWriter()));
        service = new BulkExportService(database, exports, parts.runs(), new CreateBulkExportValidator(parts.runs()), null,
                new Ids(Clock.systemUTC()), null, deaf(), new ChangeRecorder());
    }

    /** Creates a workspace and a destination with the same id. */
    UUID workspace() {
        UUID id = UUID.randomUUID();
        execute("""
                INSERT INTO export.destinations (tenant_id, id, destination_type, display_name, bucket_name, prefix,
                    include_bucket_in_prefix, credentials, credentials_keys, may_read, may_delete, may_abort, may_list_uploads,
                    created_at, updated_at)
                VALUES (?, ?, 's3', 'x', 'x', '', false, '', '{}', true, true, true, true, now(), now())
                """, id, id);
        return id;
    }

    /** Creates a waiting export of {@code days} days. */
    UUID create(UUID tenantId, int days) {
        UUID id = UUID.randomUUID();
        execute("""
                INSERT INTO export.bulk_exports (tenant_id, id, destination_id, session_id, start_time, end_time, key_prefix,
                    format, format_version, compression, status)
                VALUES (?, ?, ?, gen_random_uuid(), '2026-01-01', '2026-01-01'::timestamptz + make_interval(days => ?), '',
                    'Parquet', 'v1', 'gzip', 'Created')
                """, tenantId, id, tenantId, days);
        execute("""
                INSERT INTO export.runs (tenant_id, id, export_id, position, start_time, end_time)
                SELECT ?, gen_random_uuid(), ?, n, '2026-01-01'::timestamptz + make_interval(days => n),
                    '2026-01-02'::timestamptz + make_interval(days => n)
                FROM generate_series(0, ? - 1) AS n
                """, tenantId, id, days);
        return id;
    }

    /** Claims the next run. */
    List<Lease> claim() {
        return await(database.everyWorkspace(connection -> outcomes.claimRun(connection, "test", LONG)));
    }

    /** Claims the next export whose manifest is due. */
    List<Lease> claimManifest() {
        return await(database.everyWorkspace(connection -> outcomes.leases().claim(connection, "test", LONG, 1)));
    }

    /** Claims {@code count} runs and keeps their leases. */
    List<Lease> claim(int times) {
        List<Lease> claimed = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            claimed.addAll(claim());
        }
        return claimed;
    }

    /** Releases a run without counting the attempt. */
    Uni<Void> release(Lease lease) {
        return database.inWorkspace(lease.tenantId(), connection -> parts.attempts().release(connection, lease));
    }

    /** Completes a run without rows. */
    void complete(Lease lease) {
        await(parts.attempts().begin(lease));
        await(parts.attempts().complete(lease, List.of()));
    }

    /** Returns export and position of a run, for example {@code "<export>/0"}. */
    String day(Lease lease) {
        return (String) query("SELECT export_id || '/' || position FROM export.runs WHERE id = ?", lease.id());
    }

    int execute(String sql, Object... values) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the first column of the first row. */
    Object query(String sql, Object... values) {
        return queryAll(sql, values).getFirst();
    }

    /** Returns the first column of all rows. */
    List<Object> queryAll(String sql, Object... values) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            List<Object> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getObject(1));
                }
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static TestDatabase migrated() {
        TestDatabase database = TestDatabase.another();
        List.of("control-plane", "experiment-service", "export-service").forEach(database::migrate);
        return database;
    }

    // No listener: the tests claim work themselves.
    @SuppressWarnings("unchecked")
    private static Event<WorkAvailable> deaf() {
        return (Event<WorkAvailable>) Proxy.newProxyInstance(Event.class.getClassLoader(), new Class<?>[] { Event.class },
                (proxy, method, values) -> null);
    }
}
