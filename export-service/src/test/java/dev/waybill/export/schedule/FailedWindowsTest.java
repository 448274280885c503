package dev.waybill.export.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Traces;
import dev.waybill.export.storage.FaultProxy.Fault;
import io.restassured.response.Response;

/** Failed windows in the response of a schedule. */
@ExportServiceTest
class FailedWindowsTest extends ScheduleScenario {

    @Test
    void scheduleShowsFailedWindowsUntilTheyAreBackfilled() {
        // Given
        Instant start = Schedules.hoursDue(2);
        proxy.always("PutObject", Fault.error(403, "AccessDenied"));
        UUID schedule = schedules.hourly(start, "");

        // When
        schedules.pollUntilEnded(schedule, 2);

        // Then
        Response failed = exports.client().export(schedule);
        assertThat((int) failed.path("failed_windows")).isEqualTo(2);
        assertThat((String) failed.path("last_failure.bulk_export_id")).isEqualTo(schedules.window(schedule, 2).path("id"));
        assertThat((String) failed.path("last_failure.start_time"))
                .isEqualTo(schedules.window(schedule, 2).path("start_time"));
        assertThat((String) failed.path("last_failure.code")).isEqualTo("access_denied");
        assertThat((String) failed.path("last_failure.message")).startsWith("Access denied: ");
        assertThat((String) failed.path("last_failure.at")).isNotNull();
        assertThat((Object) schedules.window(schedule, 2).path("failed_windows")).isNull();
        assertThat(exports.client().get(Client.EXPORTS).<Integer> path("find { it.interval_hours == 1 }.failed_windows"))
                .isEqualTo(2);

        // When
        proxy.clear();
        backfill(schedule, start.plusSeconds(3600), start.plusSeconds(7200));

        // Then
        Response mended = exports.client().export(schedule);
        assertThat((int) mended.path("failed_windows")).isEqualTo(1);
        assertThat((String) mended.path("last_failure.bulk_export_id")).isEqualTo(schedules.window(schedule, 1).path("id"));
        backfill(schedule, start, start.plusSeconds(7200));
        assertThat((int) exports.client().export(schedule).path("failed_windows")).isZero();
        assertThat((Object) exports.client().export(schedule).path("last_failure")).isNull();
    }

    @Test
    void timedOutWindowIsAFailedWindow() {
        // Given
        UUID schedule = schedules.hourly(Schedules.hoursDue(1), "");
        schedules.pollUntilEnded(schedule, 1);

        // When
        Traces.execute("UPDATE export.bulk_exports SET status = 'TimedOut' WHERE source_bulk_export_id = ?", schedule);

        // Then
        assertThat((int) exports.client().export(schedule).path("failed_windows")).isEqualTo(1);
        assertThat((String) exports.client().export(schedule).path("last_failure.code")).isEqualTo("timed_out");
    }

    private void backfill(UUID schedule, Instant from, Instant to) {
        Response made = schedules.backfill(schedule, from.toString(), to.toString());
        assertThat(made.statusCode()).as(made.asString()).isEqualTo(200);
        exports.awaitStatus(UUID.fromString(made.path("id")), "Completed");
    }
}
