package dev.waybill.export.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.time.Timestamps;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.storage.FaultProxy.Fault;
import io.restassured.response.Response;

/** The list of a schedule's windows. */
@ExportServiceTest
class WindowListTest extends ScheduleScenario {

    @Test
    void windowsWithAndWithoutExportsAreListed() {
        // Given
        Instant start = Schedules.hoursDue(2);
        Traces.runs(exports.tenantId(), exports.sessionId(), start, Duration.ofMinutes(30), 3);
        UUID schedule = schedules.hourly(start, "");
        schedules.pollUntilEnded(schedule, 2);

        // When
        Response windows = windows(schedule, "");

        // Then: the third window contains the current time.
        assertThat(windows.jsonPath().getList("number")).containsExactly(3, 2, 1);
        assertThat(windows.jsonPath().getList("status")).containsExactly("Pending", "Completed", "Completed");
        assertThat(windows.header("X-Pagination-Total")).isEqualTo("3");
        assertThat(windows.jsonPath().getMap("[0]")).containsOnlyKeys("number", "start_time", "end_time", "status",
                "bulk_export_id", "created_at", "finished_at", "progress", "late_rows", "error", "backfilled_by")
                .containsEntry("start_time", Timestamps.format(start.plusSeconds(7200)))
                .containsEntry("end_time", Timestamps.format(start.plusSeconds(10_800)))
                .containsEntry("bulk_export_id", null)
                .containsEntry("error", null);
        assertThat(windows.jsonPath().getMap("[2]"))
                .containsEntry("bulk_export_id", schedules.window(schedule, 1).path("id"))
                .containsEntry("start_time", Timestamps.format(start))
                .containsEntry("error", null)
                .containsEntry("backfilled_by", null);
        assertThat((int) windows.path("[2].progress.rows_exported")).isEqualTo(2);
        assertThat((int) windows.path("[1].progress.rows_exported")).isEqualTo(1);
    }

    @Test
    @Tag("full")
    void failedWindowHasErrorAttemptAndBeginOfFailure() {
        // Given: the store fails at each of the five attempts that the tests' settings allow.
        proxy.always("CreateMultipartUpload", Fault.error(500, "InternalError"));
        Instant start = Schedules.hoursDue(1);
        Traces.runs(exports.tenantId(), exports.sessionId(), start, Duration.ofMinutes(1), 1);
        UUID schedule = schedules.hourly(start, "");

        // When
        schedules.pollUntilEnded(schedule, 1);

        // Then
        Response failed = windows(schedule, "?status=Failed&status=TimedOut");
        assertThat(failed.jsonPath().getList("number")).containsExactly(1);
        Map<String, Object> error = failed.jsonPath().getMap("[0].error");
        assertThat(error).containsOnlyKeys("code", "message", "attempt", "since", "at").containsEntry("code", "unavailable")
                .containsEntry("message", "The store reports an internal error.").containsEntry("attempt", 5);
        String export = failed.path("[0].bulk_export_id");
        assertThat(error.get("since"))
                .isEqualTo(exports.client().runs(UUID.fromString(export)).path("find { it.errors }.errors.'1'.at"));
        assertThat(error.get("at")).isEqualTo(failed.path("[0].finished_at"));
        assertThat(Timestamps.parse((String) error.get("since"))).isBefore(Timestamps.parse((String) error.get("at")));

        // When
        proxy.clear();
        Response made = schedules.backfill(schedule, start.toString(), start.plusSeconds(3600).toString());
        exports.awaitStatus(UUID.fromString(made.path("id")), "Completed");

        // Then
        assertThat((String) windows(schedule, "?status=Failed").path("[0].backfilled_by")).isEqualTo(made.path("id"));
    }

    @Test
    void retriedWindowShowsItsNewestError() {
        // Given
        proxy.times(1, "CreateMultipartUpload", Fault.error(500, "InternalError"));
        Instant start = Schedules.hoursDue(1);
        Traces.runs(exports.tenantId(), exports.sessionId(), start, Duration.ofMinutes(1), 1);
        UUID schedule = schedules.hourly(start, "");
        schedules.pollUntilEnded(schedule, 1);
        assertThat((Object) windows(schedule, "").path("[1].error")).as("error of a completed window").isNull();

        // When: a run in progress after a failed attempt
        Traces.execute("UPDATE export.bulk_exports SET status = 'Running', finished_at = NULL,"
                + " next_attempt_at = now() + interval '1 day' WHERE source_bulk_export_id = ?", schedule);
        Traces.execute("""
                UPDATE export.runs AS r
                SET state = 'Running', finished_at = NULL, next_attempt_at = now() + interval '1 day',
                    errors = '{"1": {"code": "timeout", "message": "Slow.", "at": "2026-01-05T00:00:00Z"},
                               "2": {"code": "unreachable", "message": "Gone.", "at": "2026-01-05T01:00:00Z"}}'
                FROM export.bulk_exports AS e
                WHERE e.source_bulk_export_id = ? AND r.tenant_id = e.tenant_id AND r.export_id = e.id
                """, schedule);

        // Then
        Response running = windows(schedule, "?status=Running");
        assertThat(running.jsonPath().getMap("[0].error")).isEqualTo(Map.of("code", "unreachable", "message", "Gone.",
                "attempt", 2, "since", "2026-01-05T00:00:00.000000Z", "at", "2026-01-05T01:00:00.000000Z"));
        exports.client().cancel(UUID.fromString(running.path("[0].bulk_export_id")));
    }

    @Test
    void missedWindowsOfPausedScheduleArePending() {
        // Given
        Instant start = Schedules.hoursDue(5);
        UUID schedule = schedules.hourly(Instant.now(), "");
        Traces.execute("UPDATE export.bulk_exports SET start_time = ?, paused_at = now(), pause_reason = 'test' WHERE id = ?",
                start.atOffset(ZoneOffset.UTC), schedule);

        // When / Then
        assertThat(windows(schedule, "").jsonPath().getList("number")).containsExactly(6, 5, 4, 3, 2, 1);
        assertThat(windows(schedule, "?limit=2&offset=1").jsonPath().getList("number")).containsExactly(5, 4);
        assertThat(windows(schedule, "?start_time=" + start.plusSeconds(3600) + "&end_time=" + start.plusSeconds(7201))
                .jsonPath().getList("number")).containsExactly(3, 2);
        assertThat(windows(schedule, "?status=Failed").jsonPath().getList("")).isEmpty();

        // When
        exports.client().cancel(schedule);

        // Then
        assertThat(windows(schedule, "").jsonPath().getList("")).isEmpty();
    }

    @Test
    void invalidParametersAreReportedTogether() {
        UUID oneOff = exports.start(Exports.MONDAY, Exports.MONDAY.plusSeconds(1), "");

        Response response = windows(oneOff, "?status=Lost&start_time=x&end_time=y&limit=0");

        assertThat(response.statusCode()).isEqualTo(422);
        assertThat(response.jsonPath().<Object> getList("errors.loc")).containsExactly(List.of("status"),
                List.of("start_time"), List.of("end_time"), List.of("limit"));
        assertThat((String) windows(oneOff, "?day=1").path("errors[0].loc[0]")).isEqualTo("day");
        assertThat(windows(oneOff, "").jsonPath().getList("")).isEmpty();
        assertThat(windows(UUID.randomUUID(), "").statusCode()).isEqualTo(404);
    }

    private Response windows(UUID schedule, String query) {
        return exports.client().get(Client.EXPORTS + "/" + schedule + "/windows" + query);
    }
}
