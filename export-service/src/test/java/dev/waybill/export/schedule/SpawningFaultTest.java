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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.TestDatabase;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;

/** Replicas that die or freeze while they make a window's export, and users who cancel just then. */
@ExportServiceTest
class SpawningFaultTest {

    /** What a frozen replica waits for. */
    private static final long LATCH = 7_205_759_403L;

    @Inject
    ScheduleService service;

    private Exports exports;
    private Schedules schedules;
    private final List<String> faults = new ArrayList<>();

    // Not where the fields are: the service listens when this runs.
    @BeforeEach
    void open() {
        exports = Exports.create();
        schedules = new Schedules(exports, service);
    }

    @AfterEach
    void close() {
        List.copyOf(faults).forEach(this::mend);
    }

    // Each statement of the transaction in turn: what was done before it must be gone.
    @ParameterizedTest
    @CsvSource({ "bulk_exports, AFTER INSERT", "runs, AFTER INSERT", "bulk_exports, BEFORE UPDATE",
            "bulk_exports, AFTER UPDATE" })
    void whoDiesBetweenTwoStatementsLosesAndDoublesNothing(String table, String when) {
        // Given
        UUID schedule = schedules.hourly(Instant.now(), "");
        breakAt(table, when, "RAISE EXCEPTION 'the replica is gone'");
        schedules.backdate(schedule);

        // When
        schedules.comeBy();
        schedules.comeBy();

        // Then
        assertThat(schedules.count(schedule, "true")).isZero();
        mend(table);
        schedules.comeByUntilEnded(schedule, 2);
        assertThat(schedules.windows(schedule)).containsExactly(1L, 2L);
        assertThat(schedules.count(schedule, "status = 'Completed'")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = { true, false })
    void whoFreezesWithAScheduleInHandNeitherHoldsUpTheOthersNorDoublesAWindow(boolean dies) throws Exception {
        // Given
        UUID schedule = schedules.hourly(Instant.now(), "");
        UUID other = Exports.create().start(hoursDue(1), null, ", \"interval_hours\": 1");
        breakAt("bulk_exports", "BEFORE INSERT", "PERFORM pg_advisory_xact_lock(" + LATCH + ")"
                + (dies ? "; RAISE EXCEPTION 'the replica is gone'" : ""));
        try (Connection latch = TestDatabase.get().superuser(); Statement held = latch.createStatement()) {
            held.execute("SELECT pg_advisory_lock(" + LATCH + ")");
            schedules.backdate(schedule);
            CompletableFuture<Void> frozen = CompletableFuture.runAsync(schedules::comeBy);
            await().until(() -> waiting() == 1);

            // When
            NextStep meanwhile = schedules.step(schedule);
            schedules.comeByUntilEnded(other, 1);
            held.execute("SELECT pg_advisory_unlock(" + LATCH + ")");
            frozen.join();

            // Then
            assertThat(meanwhile).isEqualTo(NextStep.Wait.NOT_FREE);
            assertThat(dies ? schedules.count(schedule, "true") : 0).isZero();
        }
        mend("bulk_exports");
        schedules.comeByUntilEnded(schedule, 2);
        assertThat(schedules.windows(schedule)).containsExactly(1L, 2L);
    }

    @Test
    void noExportIsMadeOnceACancelWasAnswered() {
        for (int i = 0; i < 8; i++) {
            // Given
            UUID schedule = schedules.hourly(Instant.now(), "");
            schedules.backdate(schedule);
            CompletableFuture<Void> coming = CompletableFuture.runAsync(() -> {
                schedules.comeBy();
                schedules.comeBy();
            });
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(Duration.ofMillis(30).toNanos()));

            // When
            int answer = exports.client().cancel(schedule).statusCode();

            // Then
            List<Long> made = schedules.windows(schedule);
            coming.join();
            schedules.comeBy();
            assertThat(answer).isEqualTo(200);
            assertThat(schedules.windows(schedule)).isEqualTo(made);
            assertThat(schedules.count(schedule, "status = 'Cancelled'")).as("those it made go on").isZero();
        }
    }

    private static final String WAITING = "locktype = 'advisory' AND NOT granted"
            + " AND classid = (" + LATCH + "::bigint >> 32)::int::oid AND objid = (" + LATCH + "::bigint & 4294967295)::oid";

    private static long waiting() {
        return (long) Traces.query("SELECT count(*) FROM pg_locks WHERE " + WAITING);
    }

    /** Lets something happen whenever this workspace's rows of the table are written by way of a schedule. */
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
