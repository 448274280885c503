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
import dev.waybill.common.id.Ids;
import dev.waybill.common.lease.Lease;
import dev.waybill.common.telemetry.Telemetry;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.export.run.RunParts;
import dev.waybill.export.run.WorkDue;
import dev.waybill.export.trace.Snapshot;

/** Exports and their runs in a database of their own, with the real services and nobody who works unless a test does. */
final class ExportQueue implements AutoCloseable {

    static final Duration LONG = Duration.ofHours(1);
    /** What an attempt saw, where it does not matter what. */
    static final Snapshot SEEN = new Snapshot("1:1:", Instant.EPOCH);

    private static final TestDatabase WHERE = migrated();

    // One for all tests: it ends with the JVM.
    private static final Database DATABASE = new ReactiveDatabase(WHERE, "waybill_export").database();

    private final Connection connection = WHERE.superuser();
    final Database database = DATABASE;
    final RunParts parts;
    final BulkExportRepository exports;
    final ExportOutcomeService outcomes;
    final BulkExportService service;

    /** @param limits below {@code waybill.export.limits}; the others are the defaults */
    ExportQueue(Map<String, String> limits) {
        execute("TRUNCATE export.destinations, export.bulk_exports, export.runs, export.files, export.uploads, export.checkpoints");
        parts = RunParts.of(database, limits);
        exports = new BulkExportRepository(parts.limits(), Telemetry.disabled());
        outcomes = new ExportOutcomeService(database, new OutcomeRepository(), exports, parts.runs(), parts.attempts(),
                parts.limits());
        service = new BulkExportService(database, exports, parts.runs(), new ExportRules(parts.runs()),
                new ExportMaker(exports, parts.runs(), new PrefixWarnings(), new Ids(Clock.systemUTC()), null), deaf());
    }

    /** A workspace with a destination that has the workspace's id. */
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

    /** An export of so many days that waits. */
    UUID order(UUID tenantId, int days) {
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

    /** The lease of the run whose turn it is. */
    List<Lease> claim() {
        return await(outcomes.claimRun("test", LONG));
    }

    /** So many leases one after the other, all of them kept. */
    List<Lease> claim(int times) {
        List<Lease> claimed = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            claimed.addAll(claim());
        }
        return claimed;
    }

    /** As a worker would that finds no rows. */
    void complete(Lease lease) {
        await(parts.attempts().begin(lease));
        await(parts.attempts().complete(lease, List.of()));
    }

    /** Whose day it is and which, for example {@code "<export>/0"}. */
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

    /** The first column of the first row. */
    Object query(String sql, Object... values) {
        return queryAll(sql, values).getFirst();
    }

    /** The first column of all rows. */
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

    // Nobody listens: work is looked for by the tests.
    @SuppressWarnings("unchecked")
    private static Event<WorkDue> deaf() {
        return (Event<WorkDue>) Proxy.newProxyInstance(Event.class.getClassLoader(), new Class<?>[] { Event.class },
                (proxy, method, values) -> null);
    }
}
