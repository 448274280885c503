package dev.waybill.export.lake;

import static dev.waybill.common.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import dev.waybill.common.database.ReactiveDatabase;
import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseLostException;
import dev.waybill.export.Bucket;
import dev.waybill.export.Duck;
import dev.waybill.export.Traces;
import dev.waybill.export.lake.PublicationService.Attempt;
import dev.waybill.export.lake.TablePublisher.Result;
import dev.waybill.export.storage.ObjectStore;
import io.quarkus.arc.Arc;

/** A workspace whose days tests compact and compare with the database. */
record LakeWorkspace(UUID tenantId, UUID sessionId) {

    /** Newer than the days of other tests, so that it is compacted first. */
    static final LocalDate DAY = LocalDate.parse("2026-09-07");
    static final Instant NOON = DAY.atTime(12, 0).toInstant(ZoneOffset.UTC);

    /** Columns whose text is the same in PostgreSQL and DuckDB. */
    private static final List<String> COLUMNS = List.of("id", "session_id", "tenant_id", "trace_id", "parent_run_id", "name",
            "run_type", "status", "dotted_order", "inputs", "outputs", "error", "events", "extra", "metadata", "serialized",
            "thread_id", "trace_tier", "manifest_id", "reference_example_id", "prompt_tokens", "completion_tokens",
            "total_tokens", "prompt_cost", "completion_cost", "total_cost");
    private static final List<String> TIMES = List.of("start_time", "end_time", "first_token_time");
    private static final List<String> LISTS = List.of("tags", "parent_run_ids");

    /**
     * Deletes the runs of other tests: their days would be compacted first, and a worker that waits for the open transaction of
     * a test would not start the day of that test.
     */
    static void deleteOthers() {
        Traces.execute(
                "TRUNCATE trace.runs, trace.sessions, trace.lake_days, trace.lake_changes, lake.compactions, lake.files");
    }

    static LakeWorkspace create() {
        UUID tenantId = UUID.randomUUID();
        return new LakeWorkspace(tenantId, Traces.session(tenantId));
    }

    /** Inserts runs at noon, one per second. */
    LakeWorkspace withRuns(int count) {
        Traces.runs(tenantId, sessionId, NOON, Duration.ofSeconds(1), count);
        return this;
    }

    /** Waits until the planner has found the day. */
    void plan(LocalDate day) {
        await().untilAsserted(() -> {
            planNow();
            assertThat(Traces.all("SELECT state FROM lake.compactions WHERE tenant_id = ? AND day = ?", tenantId, day))
                    .isNotEmpty();
        });
    }

    /** Waits until the files of the day are valid, and compares them with the database. */
    void assertCompacted(Bucket bucket, LocalDate day) {
        plan(day);
        await().untilAsserted(() -> {
            planNow();
            assertThat(isValid(day)).isTrue();
        });
        assertThat(rowsInFiles(bucket, day)).isEqualTo(rowsInDatabase(day));
        assertThat(Traces.query("SELECT coalesce(rows, 0) FROM lake.compactions WHERE tenant_id = ? AND day = ?", tenantId,
                day)).isEqualTo((long) rowsInDatabase(day).size());
    }

    /** Plans without waiting for the timer. */
    static void planNow() {
        Traces.execute("UPDATE lake.planning SET next_pass_at = now()");
        ReactiveDatabase.await(Arc.container().instance(CompactionPlanner.class).get().plan());
    }

    /** Waits until no day of any workspace is compacted. */
    static void awaitCompactions() {
        await().untilAsserted(() -> assertThat(Traces.all("""
                SELECT day FROM lake.compactions
                WHERE state = 'running' OR (state = 'pending' AND next_attempt_at < now() + interval '10 seconds')
                """)).isEmpty());
    }

    boolean isValid(LocalDate day) {
        return !Traces.all("""
                SELECT 1 FROM lake.compactions AS c
                WHERE tenant_id = ? AND day = ? AND state = 'compacted' AND NOT EXISTS (
                    SELECT FROM trace.lake_changes AS l WHERE l.tenant_id = c.tenant_id AND l.day = c.day
                        AND NOT pg_visible_in_snapshot(l.xid, c.snapshot::pg_snapshot))
                """, tenantId, day).isEmpty();
    }

    String state(LocalDate day) {
        return (String) Traces.query("SELECT state FROM lake.compactions WHERE tenant_id = ? AND day = ?", tenantId, day);
    }

    /** Returns the keys of the recorded files of all days, in order. */
    List<String> recordedKeys() {
        return Traces.all("SELECT key FROM lake.files WHERE tenant_id = ? ORDER BY key", tenantId).stream()
                .map(String.class::cast)
                .toList();
    }

    /** Returns the keys of the objects that are no files of the table's metadata, in order. */
    List<String> dataKeys(Bucket bucket) {
        return bucket.keys(prefix()).stream().filter(key -> !key.contains("/metadata/")).toList();
    }

    /** Returns the keys of the table's own files. */
    List<String> metadataKeys(Bucket bucket) {
        return bucket.keys(prefix() + "metadata/");
    }

    /** Returns the columns and list elements of the files with their field ids, in order. */
    List<String> fieldIds(Bucket bucket) {
        Path directory = download(bucket, List.copyOf(recordedKeys()));
        return Duck.query(directory, "SELECT concat(name, '=', field_id) AS field FROM parquet_schema('" + directory
                + "/*.parquet') WHERE field_id IS NOT NULL").stream()
                .map(row -> (String) row.get("field"))
                .toList();
    }

    /** Returns the bucket of the lake as the service opens it. */
    ObjectStore store() {
        return Arc.container().instance(LakeBucket.class).get().store();
    }

    /** Publishes the workspace's table as the job does, but at a later time. */
    void publishNow(Duration later) {
        PublicationService publications = Arc.container().instance(PublicationService.class).get();
        Attempt attempt = ReactiveDatabase.await(publications.begin(leaseTable()));
        Result result = Arc.container().instance(TablePublisher.class).get().publish(attempt, Instant.now().plus(later));
        ReactiveDatabase.await(publications.record(attempt, result.released(), result.snapshots(), result.nextDue()));
    }

    /** Waits until no job publishes the workspace's table, and leases it. */
    Lease leaseTable() {
        await().until(() -> Traces.execute(
                """
                        UPDATE lake.tables SET lease_token = lease_token + 1, lease_owner = 'test', lease_until = now() + interval '1 minute'
                        WHERE tenant_id = ? AND (lease_until IS NULL OR lease_until < now())
                        """,
                tenantId) == 1);
        return new Lease(tenantId, (UUID) Traces.query("SELECT id FROM lake.tables WHERE tenant_id = ?", tenantId),
                (Long) Traces.query("SELECT lease_token FROM lake.tables WHERE tenant_id = ?", tenantId));
    }

    /**
     * Stops the calling worker as a crash would. The leases of the workspace are expired too, so that no test waits for that.
     */
    void crash() {
        for (String table : List.of("lake.compactions", "lake.tables")) {
            Traces.execute("UPDATE " + table + " SET lease_until = now() WHERE tenant_id = ? AND lease_until IS NOT NULL",
                    tenantId);
        }
        throw new LeaseLostException(new Lease(tenantId, UUID.randomUUID(), 0), null);
    }

    /** Returns the prefix of the workspace's objects. */
    String prefix() {
        return "lake-test/runs/tenant_id=" + tenantId + "/";
    }

    List<Object> rowsInDatabase(LocalDate day) {
        String values = COLUMNS.stream().map(column -> "coalesce(" + column + "::text, '-')").reduce(this::join).orElseThrow()
                + TIMES.stream().map(time -> ", coalesce((extract(epoch FROM " + time + ") * 1000000)::bigint::text, '-')")
                        .reduce("", String::concat)
                + LISTS.stream().map(list -> ", coalesce(array_to_string(" + list + ", ','), '-')")
                        .reduce("", String::concat);
        return Traces.all("SELECT concat_ws('|', " + values + ") FROM trace.runs AS r WHERE tenant_id = ?"
                + " AND (start_time AT TIME ZONE 'UTC')::date = ? AND NOT EXISTS (SELECT FROM trace.session_removals AS removed"
                + " WHERE removed.tenant_id = r.tenant_id AND removed.session_id = r.session_id)"
                + " ORDER BY session_id, start_time, id", tenantId, day);
    }

    /** Returns the rows in the order of the files. */
    List<Object> rowsInFiles(Bucket bucket, LocalDate day) {
        List<Object> keys = Traces.all("SELECT key FROM lake.files WHERE tenant_id = ? AND day = ? ORDER BY index", tenantId,
                day);
        if (keys.isEmpty()) {
            return List.of();
        }
        String values = COLUMNS.stream().map(column -> "coalesce(" + column + "::varchar, '-')").reduce(this::join)
                .orElseThrow()
                + TIMES.stream().map(time -> ", coalesce(epoch_us(" + time + ")::varchar, '-')").reduce("", String::concat)
                + LISTS.stream().map(list -> ", coalesce(array_to_string(" + list + ", ','), '-')")
                        .reduce("", String::concat);
        Path directory = download(bucket, keys);
        return Duck.query(directory, "SELECT concat_ws('|', " + values + ") AS row FROM files").stream()
                .map(Map::values)
                .map(row -> row.iterator().next())
                .toList();
    }

    private String join(String one, String other) {
        return one + ", " + other;
    }

    private static Path download(Bucket bucket, List<Object> keys) {
        try {
            Path directory = bucket.folder();
            for (int i = 0; i < keys.size(); i++) {
                Files.write(directory.resolve(String.format(Locale.ROOT, "%05d.parquet", i)), bucket.get((String) keys.get(i)));
            }
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
