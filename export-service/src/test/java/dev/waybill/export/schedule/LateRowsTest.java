package dev.waybill.export.schedule;

import static dev.waybill.common.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.TestDatabase;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;

/** Runs that were stored after the export of their window had read it. */
@ExportServiceTest
class LateRowsTest {

    private static final Duration HOUR = Duration.ofHours(1);

    @Inject
    ScheduleService service;

    @Inject
    LateRowService lateRows;

    private Exports exports;
    private Schedules schedules;

    // Not a field initializer: the service must be listening.
    @BeforeEach
    void open() {
        exports = Exports.create();
        schedules = new Schedules(exports, service);
    }

    @Test
    void lateRowsAreCountedExactly() throws SQLException {
        // Given
        Instant start = Schedules.hoursDue(2);
        UUID early = Traces.run(exports.tenantId(), exports.sessionId(), start);
        try (Connection open = TestDatabase.get().superuser()) {
            open.setAutoCommit(false);
            store(open, start.plusSeconds(1), "chain");
            UUID schedule = schedules.hourly(start, ", \"filter\": \"eq(run_type, 'chain')\"");
            schedules.pollUntilEnded(schedule, 2);

            // When: committed after the export, stored late on both edges, changed, and not matched by the filter
            open.commit();
            Traces.run(exports.tenantId(), exports.sessionId(), start);
            Traces.run(exports.tenantId(), exports.sessionId(), start.plus(HOUR).minusNanos(1000));
            Traces.run(exports.tenantId(), exports.sessionId(), start.plus(HOUR));
            Traces.run(exports.tenantId(), exports.sessionId(), start.plus(HOUR.multipliedBy(2)));
            Traces.run(exports.tenantId(), exports.sessionId(), start.minusNanos(1000));
            Traces.execute("UPDATE trace.runs SET outputs = '{}', modified_at = now() WHERE id = ?", early);
            store(open, start.plusSeconds(2), "llm");
            open.commit();

            // Then
            await().pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
                lateRows.countAll().await().atMost(Duration.ofMinutes(2));
                assertThat((int) schedules.window(schedule, 1).path("late_rows")).isEqualTo(3);
                assertThat((int) schedules.window(schedule, 2).path("late_rows")).isEqualTo(1);
                assertThat((int) exports.client().export(schedule).path("late_rows")).isEqualTo(4);
            });
            assertThat((int) exports.client().export(schedule).path("progress.rows_exported")).isEqualTo(1);
        }
    }

    @Test
    void backfillContainsLateRows() {
        // Given
        Instant start = Schedules.hoursDue(1);
        UUID schedule = schedules.hourly(start, "");
        schedules.pollUntilEnded(schedule, 1);
        Traces.run(exports.tenantId(), exports.sessionId(), start);

        // When
        UUID backfill = UUID.fromString(schedules.backfill(schedule, start.toString(), start.plus(HOUR).toString()).path("id"));

        // Then
        exports.awaitStatus(backfill, "Completed");
        assertThat((int) exports.client().export(backfill).path("progress.rows_exported")).isEqualTo(1);
        lateRows.countAll().await().atMost(Duration.ofMinutes(2));
        assertThat((int) exports.client().export(backfill).path("late_rows")).isZero();
    }

    @Test
    void countReadsLateRowsOnly() throws SQLException {
        // Given: a new database without rows and planner statistics
        TestDatabase database = TestDatabase.another();
        List.of("control-plane", "experiment-service", "export-service").forEach(database::migrate);
        String count = LateRowService.COUNT.replaceAll("\\$\\d", "'" + exports.tenantId() + "'");
        try (Connection connection = database.superuser(); Statement statement = connection.createStatement()) {
            statement.execute("SET enable_seqscan = off");

            // When
            try (ResultSet plan = statement.executeQuery("EXPLAIN (FORMAT JSON) " + count)) {

                // Then
                plan.next();
                assertThat(plan.getString(1)).contains("\"runs_before_2022_tenant_id_session_id_received_at_idx\"")
                        .doesNotContainPattern("runs_\\w+_pkey").doesNotContain("Seq Scan");
            }
        }
    }

    private void store(Connection connection, Instant startTime, String runType) throws SQLException {
        TestDatabase.get().makeRunPartitions(startTime, startTime);
        try (PreparedStatement statement = connection.prepareStatement("""
                INSERT INTO trace.runs (tenant_id, id, session_id, start_time, trace_id, name, run_type, status, dotted_order)
                VALUES (?, gen_random_uuid(), ?, ?, gen_random_uuid(), 'step', ?, 'success', 'x')
                """)) {
            statement.setObject(1, exports.tenantId());
            statement.setObject(2, exports.sessionId());
            statement.setObject(3, startTime.atOffset(ZoneOffset.UTC));
            statement.setString(4, runType);
            statement.executeUpdate();
        }
    }
}
