package dev.waybill.export.schedule;

import static dev.waybill.common.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.export.Bucket;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Traces;
import dev.waybill.export.schedule.ScheduleRules.Action;
import dev.waybill.export.storage.FaultProxy.Fault;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;

/** Schedules with failures that the bucket's owner must fix. */
@ExportServiceTest
class PauseTest extends ScheduleScenario {

    @ParameterizedTest
    @ValueSource(booleans = { true, false })
    void failingSchedulePausesAndResumesAtNextWindow(boolean byNewCredentials) {
        // Given
        Instant start = Schedules.hoursDue(7);
        Traces.runs(exports.tenantId(), exports.sessionId(), start, Duration.ofHours(1), 7);
        refuseWriting("AccessDenied");
        UUID schedule = schedules.hourly(start, "");

        // When
        comeByUntilPaused(schedule);

        // Then
        Response paused = exports.client().export(schedule);
        assertThat((String) paused.path("status")).isEqualTo("IntervalScheduled");
        assertThat((String) paused.path("paused_at")).isNotNull();
        assertThat((String) paused.path("pause_reason"))
                .startsWith("The last 5 exports failed, the last one with: ")
                .contains("The credentials do not allow this operation.");
        assertThat(schedules.windows(schedule)).containsExactly(1L, 2L, 3L, 4L, 5L);
        proxy.clear();
        Response backfill = schedules.backfill(schedule, start.toString(), start.plusSeconds(7200).toString());
        exports.awaitStatus(UUID.fromString(backfill.path("id")), "Completed");
        assertThat(schedules.step(schedule)).isEqualTo(Action.Wait.LOCKED);

        validate(byNewCredentials);
        schedules.pollUntilEnded(schedule, 7);
        assertThat((String) exports.client().export(schedule).path("paused_at")).isNull();
        assertThat((String) exports.client().export(schedule).path("pause_reason")).isNull();
        assertThat(schedules.count(schedule, "status = 'Completed'")).isEqualTo(2);
    }

    @Test
    void windowsWithoutRowsFailAndPauseTheSchedule() {
        // Given
        refuseWriting("NoSuchBucket");
        UUID schedule = schedules.hourly(Schedules.hoursDue(6), "");

        // When
        comeByUntilPaused(schedule);

        // Then
        assertThat((String) exports.client().export(schedule).path("pause_reason")).contains("The bucket does not exist.");
    }

    @Test
    void failuresAndPauseAreNotifiedByRule() {
        // Given
        UUID tenant = exports.tenantId();
        Traces.execute("INSERT INTO account.workspaces (id, organization_id, name, created_at) SELECT ?, id, 'notified', now()"
                + " FROM account.organizations LIMIT 1 ON CONFLICT DO NOTHING", tenant);
        String rule = "INSERT INTO account.notification_rules (tenant_id, id, name, events, email_to, enabled)"
                + " VALUES (?, gen_random_uuid(), 'x', '{%s}', '{a@example.com}', %s)";
        Traces.execute(rule.formatted("export.failed,schedule.paused", true), tenant);
        Traces.execute(rule.formatted("schedule.paused", true), tenant);
        Traces.execute(rule.formatted("export.failed", false), tenant);
        Traces.execute(rule.formatted("revision.failed", true), tenant);
        refuseWriting("NoSuchBucket");
        UUID schedule = schedules.hourly(Schedules.hoursDue(6), "");

        // When
        comeByUntilPaused(schedule);

        // Then
        assertThat(deliveries("count(*) FILTER (WHERE type = 'export.failed')")).isEqualTo("5");
        assertThat(deliveries("count(*) FILTER (WHERE type = 'schedule.paused')")).isEqualTo("2");
        assertThat(deliveries("min(data) FILTER (WHERE type = 'export.failed')"))
                .contains("The bucket does not exist.", "\"schedule_id\":\"" + schedule + "\"", "\"status\":\"Failed\"");
        assertThat(deliveries("min(data) FILTER (WHERE type = 'schedule.paused')"))
                .contains("The last 5 exports failed", "\"export_id\":\"" + schedule + "\"");
    }

    private String deliveries(String what) {
        return String.valueOf((Object) Traces.query("SELECT (" + what + ")::text FROM account.notification_deliveries"
                + " WHERE tenant_id = ?", exports.tenantId()));
    }

    @Test
    @Tag("full")
    void operatorErrorsDoNotPauseTheSchedule() {
        // Given
        UUID schedule = schedules.hourly(Schedules.hoursDue(5), "");
        schedules.pollUntilEnded(schedule, 5);
        Traces.execute("UPDATE export.bulk_exports SET status = 'Failed', failure_code = 'throttled',"
                + " failure_message = 'The store asks for fewer requests.' WHERE source_bulk_export_id = ?", schedule);
        schedules.backdate(schedule);

        // When
        schedules.pollUntilEnded(schedule, 7);

        // Then
        assertThat(schedules.windows(schedule)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
        assertThat((String) exports.client().export(schedule).path("paused_at")).isNull();
    }

    private void refuseWriting(String code) {
        int status = code.startsWith("NoSuch") ? 404 : 403;
        proxy.always("CreateMultipartUpload", Fault.error(status, code));
        proxy.always("PutObject", Fault.error(status, code));
    }

    private void comeByUntilPaused(UUID schedule) {
        await().pollDelay(Duration.ZERO).until(() -> {
            schedules.poll();
            return exports.client().export(schedule).path("paused_at") != null;
        });
    }

    private void validate(boolean byNewCredentials) {
        String path = Client.EXPORTS + "/destinations/" + exports.destinationId();
        String credentials = JsonPath.from(Bucket.destination("x", false)).prettify();
        Response response = byNewCredentials
                ? exports.client().patch(path, credentials)
                : exports.client().post(path + "/test", "");
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
    }
}
