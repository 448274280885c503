package dev.waybill.export.schedule;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.export.schedule.Schedules.hoursDue;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.time.Timestamps;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.schedule.ScheduleRules.Action;
import io.restassured.response.Response;

/** Each window becomes one export, in order and with the schedule's settings. */
@ExportServiceTest
class ScheduleTest {

    private static final Duration HOUR = Duration.ofHours(1);

    @Inject
    ScheduleService service;

    private Exports exports;
    private Schedules schedules;

    // Not a field initializer: the service must be listening.
    @BeforeEach
    void open() {
        exports = Exports.create();
        schedules = new Schedules(exports, service);
    }

    @Test
    void missedWindowsAreCaughtUpInOrder() {
        assertMissedWindowsAreCaughtUp(12);
    }

    @Test
    @Tag("full")
    void missedWindowsOfThreeDaysAreCaughtUpInOrder() {
        assertMissedWindowsAreCaughtUp(72);
    }

    private void assertMissedWindowsAreCaughtUp(int windows) {
        // Given
        Instant start = hoursDue(windows);
        Traces.runs(exports.tenantId(), exports.sessionId(), start, HOUR, windows + 1);
        UUID schedule = schedules.hourly(start, "");

        // When
        schedules.pollUntilEnded(schedule, windows);

        // Then
        assertThat(schedules.windows(schedule)).isEqualTo(LongStream.rangeClosed(1, windows).boxed().toList());
        assertThat(schedules.count(schedule, "status = 'Completed'")).isEqualTo(windows);
        Response shown = exports.client().export(schedule);
        assertThat((String) shown.path("status")).isEqualTo("IntervalScheduled");
        assertThat((int) shown.path("progress.rows_exported")).as("each run starts on the boundary of two windows")
                .isEqualTo(windows);
        assertThat((Object) shown.path("progress.runs_completed")).isEqualTo(shown.path("progress.runs_total"));
        Response runs = exports.client().get(Client.EXPORTS + "/runs?source_bulk_export_id=" + schedule);
        assertThat(runs.jsonPath().getList("")).hasSize((int) shown.path("progress.runs_total"));
    }

    @Test
    void eightReplicasExportEachWindowOnce() {
        // Given
        UUID schedule = schedules.hourly(hoursDue(5), "");

        // When
        schedules.pollUntilEnded(schedule, 5, 8);

        // Then
        schedules.poll();
        assertThat(schedules.windows(schedule)).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void windowExportHasTheScheduleSettings() {
        // Given
        Instant start = hoursDue(2);
        UUID schedule = schedules.hourly(start, ", \"filter\": \"eq(run_type, 'chain')\", \"format_version\": \"v2_beta\","
                + " \"compression\": \"zstandard\", \"export_fields\": [\"id\", \"name\"]");

        // When
        schedules.pollUntilEnded(schedule, 2);

        // Then
        assertThat(schedules.window(schedule, 2).jsonPath().getMap("")).containsAllEntriesOf(Map.of(
                "source_bulk_export_id", schedule.toString(),
                "bulk_export_destination_id", exports.destinationId().toString(),
                "session_id", exports.sessionId().toString(),
                "start_time", Timestamps.format(start.plus(HOUR)),
                "end_time", Timestamps.format(start.plus(HOUR.multipliedBy(2))),
                "filter", "eq(run_type, 'chain')",
                "format_version", "v2_beta",
                "compression", "zstandard",
                "export_fields", List.of("id", "name"),
                "status", "Completed")).containsEntry("interval_hours", null);
    }

    // The first window is due ten minutes after its end.
    @ParameterizedTest
    @ValueSource(ints = { 5, 0, -600 })
    void nothingIsExportedBeforeItIsDue(int minutes) {
        // Given
        UUID schedule = schedules.hourly(Instant.now().minus(HOUR).minus(Duration.ofMinutes(minutes)), "");

        // When
        Action step = schedules.step(schedule);

        // Then
        assertThat(step).isEqualTo(Action.Wait.NOT_DUE);
        assertThat(schedules.windows(schedule)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = { "Failed", "TimedOut", "Cancelled" })
    void failedWindowDoesNotStopLaterWindows(String end) {
        // Given
        UUID schedule = schedules.hourly(hoursDue(1), "");
        schedules.pollUntilEnded(schedule, 1);
        Traces.execute("UPDATE export.bulk_exports SET status = ? WHERE source_bulk_export_id = ? AND window_number = 1", end,
                schedule);
        schedules.backdate(schedule);

        // When
        schedules.pollUntilEnded(schedule, 3);

        // Then
        assertThat((String) schedules.window(schedule, 2).path("status")).isEqualTo("Completed");
    }

    @Test
    void windowsWaitWhilePlanLacksBulkExport() {
        // Given
        UUID schedule = schedules.hourly(Instant.now(), "");
        UUID organization = exports.client().account().organizationId();
        Traces.execute("UPDATE account.organizations SET plan = 'free' WHERE id = ?", organization);
        schedules.backdate(schedule);

        // When
        Action without = schedules.step(schedule);
        long meanwhile = schedules.count(schedule, "true");
        Traces.execute("UPDATE account.organizations SET plan = 'enterprise' WHERE id = ?", organization);
        schedules.pollUntilEnded(schedule, 2);

        // Then
        assertThat(without).isEqualTo(Action.Wait.PLAN_LACKS_EXPORT);
        assertThat(meanwhile).isZero();
        assertThat(schedules.windows(schedule)).containsExactly(1L, 2L);
    }

    @Test
    void destinationOfScheduleCannotBeDeleted() {
        // Given
        UUID schedule = schedules.hourly(Instant.now(), "");
        String path = Client.EXPORTS + "/destinations/" + exports.destinationId();

        // When
        int whileAlive = exports.client().delete(path).statusCode();
        exports.client().cancel(schedule);
        int afterwards = exports.client().delete(path).statusCode();

        // Then
        assertThat(whileAlive).isEqualTo(409);
        assertThat(afterwards).isEqualTo(204);
    }

    @Test
    void scheduleWithDeletedProjectPausesWithReason() {
        // Given
        UUID schedule = schedules.hourly(Instant.now(), "");
        Traces.execute("DELETE FROM trace.sessions WHERE id = ?", exports.sessionId());
        schedules.backdate(schedule);

        // When
        await().until(() -> schedules.step(schedule) == Action.Wait.LOCKED);

        // Then
        assertThat((String) exports.client().export(schedule).path("pause_reason")).contains("project was deleted");
        assertThat(schedules.windows(schedule)).isEmpty();
    }
}
