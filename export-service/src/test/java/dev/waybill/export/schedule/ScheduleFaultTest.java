package dev.waybill.export.schedule;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.export.schedule.Schedules.hoursDue;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.TestDatabase;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.schedule.ScheduleRules.Action;

/** Replicas that crash or freeze while they create a window's export, and concurrent cancellation. */
@ExportServiceTest
@Tag("full")
class ScheduleFaultTest {

    /** Blocks a frozen replica. */
    private static final long LATCH = 7_205_759_403L;

    @Inject
    ScheduleService service;

    private Exports exports;
    private Schedules schedules;
    private final List<String> faults = new ArrayList<>();

    // Not a field initializer: the service must be listening.
    @BeforeEach
    void open() {
        exports = Exports.create();
        schedules = new Schedules(exports, service);
    }

    @AfterEach
    void close() {
        List.copyOf(faults).forEach(this::mend);
    }

    // Fails each statement of the transaction in turn; all earlier ones must be rolled back.
    @ParameterizedTest
    @CsvSource({ "bulk_exports, AFTER INSERT", "runs, AFTER INSERT", "bulk_exports, BEFORE UPDATE",
            "bulk_exports, AFTER UPDATE" })
    void crashBetweenStatementsNeitherLosesNorDuplicatesWindows(String table, String when) {
        // Given
        UUID schedule = schedules.hourly(Instant.now(), "");
        breakAt(table, when, "RAISE EXCEPTION 'the replica is gone'");
        schedules.backdate(schedule);

        // When
        schedules.poll();
        schedules.poll();

        // Then
        assertThat(schedules.count(schedule, "true")).isZero();
        mend(table);
        schedules.pollUntilEnded(schedule, 2);
        assertThat(schedules.windows(schedule)).containsExactly(1L, 2L);
        assertThat(schedules.count(schedule, "status = 'Completed'")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = { true, false })
    void frozenReplicaNeitherBlocksNorDuplicatesWindows(boolean dies) throws Exception {
        // Given
        UUID schedule = schedules.hourly(Instant.now(), "");
        UUID other = Exports.create().start(hoursDue(1), null, ", \"interval_hours\": 1");
        breakAt("bulk_exports", "BEFORE INSERT", "PERFORM pg_advisory_xact_lock(" + LATCH + ")"
                + (dies ? "; RAISE EXCEPTION 'the replica is gone'" : ""));
        try (Connection latch = TestDatabase.get().superuser(); Statement held = latch.createStatement()) {
            held.execute("SELECT pg_advisory_lock(" + LATCH + ")");
            schedules.backdate(schedule);
            CompletableFuture<Void> frozen = CompletableFuture.runAsync(schedules::poll);
            await().until(() -> waiting() == 1);

            // When
            Action meanwhile = schedules.step(schedule);
            schedules.pollUntilEnded(other, 1);
            held.execute("SELECT pg_advisory_unlock(" + LATCH + ")");
            frozen.join();

            // Then
            assertThat(meanwhile).isEqualTo(Action.Wait.LOCKED);
            assertThat(dies ? schedules.count(schedule, "true") : 0).isZero();
        }
        mend("bulk_exports");
        schedules.pollUntilEnded(schedule, 2);
        assertThat(schedules.windows(schedule)).containsExactly(1L, 2L);
    }

    @Test
    void noExportIsCreatedAfterCancellation() {
        for (int i = 0; i < 8; i++) {
            // Given
            UUID schedule = schedules.hourly(Instant.now(), "");
            schedules.backdate(schedule);
            CompletableFuture<Void> coming = CompletableFuture.runAsync(() -> {
                schedules.poll();
                schedules.poll();
            });
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(Duration.ofMillis(30).toNanos()));

            // When
            int response = exports.client().cancel(schedule).statusCode();

            // Then
            List<Long> made = schedules.windows(schedule);
            coming.join();
            schedules.poll();
            assertThat(response).isEqualTo(200);
            assertThat(schedules.windows(schedule)).isEqualTo(made);
            assertThat(schedules.count(schedule, "status = 'Cancelled'")).as("spawned exports continue").isZero();
        }
    }

    private static final String WAITING = "locktype = 'advisory' AND NOT granted"
            + " AND classid = (" + LATCH + "::bigint >> 32)::int::oid AND objid = (" + LATCH + "::bigint & 4294967295)::oid";

    private static long waiting() {
        return (long) Traces.query("SELECT count(*) FROM pg_locks WHERE " + WAITING);
    }

    /** Installs a trigger on writes of this workspace's spawned rows of the table. */
    private void breakAt(String table, String when, String what) {
        String name = "fault_" + table;
        String condition = when.endsWith("UPDATE") ? "NEW.next_window > OLD.next_window" : "true";
        Traces.execute("CREATE FUNCTION public." + name + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN " + what
                + "; RETURN NEW; END $$");
        Traces.execute("CREATE TRIGGER " + name + " " + when + " ON export." + table + " FOR EACH ROW WHEN (NEW.tenant_id = '"
                + exports.tenantId() + "' AND " + condition + ") EXECUTE FUNCTION public." + name + "()");
        faults.add(table);
    }

    private void mend(String table) {
        if (faults.remove(table)) {
            Traces.execute("DROP TRIGGER fault_" + table + " ON export." + table);
            Traces.execute("DROP FUNCTION public.fault_" + table + "()");
        }
    }
}
