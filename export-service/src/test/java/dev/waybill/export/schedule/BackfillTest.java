package dev.waybill.export.schedule;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.common.testing.Accounts;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import io.restassured.response.Response;

@ExportServiceTest
class BackfillTest {

    private static final String FROM = "2026-01-05T00:30:00.000000Z";
    private static final String TO = "2026-01-05T03:15:00.000000Z";

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
    void anyRangeIsExportedWithTheScheduleSettings() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(15), 20);
        UUID schedule = schedules.hourly(Instant.now(), ", \"format_version\": \"v2_beta\", \"export_fields\": [\"id\"]");

        // When
        Response made = schedules.backfill(schedule, FROM, TO);

        // Then
        assertThat(made.statusCode()).as(made.asString()).isEqualTo(200);
        assertThat(made.jsonPath().getMap("")).containsAllEntriesOf(Map.of("source_bulk_export_id", schedule.toString(),
                "start_time", FROM, "end_time", TO, "format_version", "v2_beta", "status", "Created"));
        exports.awaitStatus(UUID.fromString(made.path("id")), "Completed");
        Response shown = exports.client().export(schedule);
        assertThat((String) shown.path("status")).isEqualTo("IntervalScheduled");
        assertThat((int) shown.path("progress.rows_exported")).isEqualTo(11);
        assertThat(exports.client().get(Client.EXPORTS + "/runs?source_bulk_export_id=" + schedule).jsonPath()
                .getList("bulk_export_id")).containsExactly((String) made.path("id"));
    }

    @Test
    void backfillNeitherDelaysNorReplacesWindows() {
        // Given
        UUID schedule = schedules.hourly(Schedules.hoursDue(1), "");
        UUID backfill = UUID.fromString(schedules.backfill(schedule, FROM, TO).path("id"));
        exports.awaitStatus(backfill, "Completed");
        Traces.execute("UPDATE export.bulk_exports SET status = 'Running', finished_at = NULL,"
                + " next_attempt_at = now() + interval '1 hour' WHERE id = ?", backfill);

        // When
        schedules.pollUntilEnded(schedule, 1);

        // Then
        assertThat((String) schedules.window(schedule, 1).path("status")).isEqualTo("Completed");
        assertThat((String) exports.client().export(backfill).path("status")).isEqualTo("Running");
    }

    @Test
    void onlyLiveScheduleCanBeBackfilled() {
        // Given
        UUID oneOff = exports.start(MONDAY, MONDAY.plusSeconds(1), "");
        UUID cancelled = schedules.hourly(Instant.now(), "");
        exports.client().cancel(cancelled);

        // When
        Response ofOneOff = schedules.backfill(oneOff, FROM, TO);
        Response ofCancelled = schedules.backfill(cancelled, FROM, TO);

        // Then
        assertThat(ofOneOff.statusCode()).isEqualTo(409);
        assertThat((String) ofOneOff.path("detail")).contains("Only a scheduled export");
        assertThat(ofCancelled.statusCode()).isEqualTo(409);
        assertThat((String) ofCancelled.path("detail")).contains("cancelled");
        assertThat(exports.client().get(Client.EXPORTS).jsonPath().getList("")).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                                                   | start_time
            {"start_time": "2026-01-05T00:00:00Z"}                                               | end_time
            {"start_time": "2026-01-05T00:00:00Z", "end_time": "2026-01-05T00:00:00Z"}           | end_time
            {"start_time": "2026-01-05T00:00:00Z", "end_time": "2126-01-05T00:00:00Z"}           | end_time
            {"start_time": "soon", "end_time": "2026-01-05T00:00:00Z"}                           | start_time
            """)
    void invalidRangeIsDescribed(String body, String member) {
        // Given
        UUID schedule = schedules.hourly(Instant.now(), "");

        // When
        Response response = exports.client().post(Schedules.path(schedule), body);

        // Then
        assertThat(response.statusCode()).isEqualTo(422);
        assertThat(response.jsonPath().getList("errors.loc").toString()).contains(member);
        assertThat(exports.client().get(Client.EXPORTS).jsonPath().getList("")).hasSize(1);
    }

    @Test
    void repeatedIdempotencyKeyCreatesOneExport() {
        // Given
        UUID schedule = schedules.hourly(Instant.now(), "");
        String body = "{\"start_time\": \"" + FROM + "\", \"end_time\": \"" + TO + "\"}";
        String key = UUID.randomUUID().toString();
        Response first = exports.client().post(Schedules.path(schedule), body, "Idempotency-Key", key);

        // When
        Response again = exports.client().post(Schedules.path(schedule), body, "Idempotency-Key", key);

        // Then
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat((String) again.path("id")).isEqualTo(first.path("id"));
        assertThat(exports.client().get(Client.EXPORTS).jsonPath().getList("")).hasSize(2);
    }

    @Test
    void returns404ForAnotherWorkspacesSchedule() {
        // Given
        UUID schedule = schedules.hourly(Instant.now(), "");
        Client neighbour = Client.as(Accounts.account().inOrganizationOf(exports.client().account()).create());

        // When
        Response response = neighbour.post(Schedules.path(schedule),
                "{\"start_time\": \"" + FROM + "\", \"end_time\": \"" + TO + "\"}");

        // Then
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(exports.client().get(Client.EXPORTS).jsonPath().getList("")).hasSize(1);
    }
}
