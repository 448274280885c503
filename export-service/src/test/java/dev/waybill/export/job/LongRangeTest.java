package dev.waybill.export.job;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import io.restassured.response.Response;

/** Ranges of any length, and ranges that end in the future (contract.md "Decided on 2026-11-23"). */
@ExportServiceTest
class LongRangeTest {

    private static final Instant EPOCH = Instant.parse("1970-01-01T00:00:00Z");
    private static final Duration DAY = Duration.ofDays(1);

    private Exports exports;

    @BeforeEach
    void open() {
        exports = Exports.create();
    }

    @Test
    void longRangeIsPlannedBetweenFirstAndLastRun() {
        // Given
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plus(Duration.ofHours(3)));
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plus(Duration.ofDays(4)).minusNanos(1000));

        // When
        UUID id = exports.complete(EPOCH, Instant.now(), "");

        // Then
        List<String> starts = exports.client().runs(id).path("start_time");
        assertThat(starts).containsExactly("2026-01-05T00:00:00.000000Z", "2026-01-06T00:00:00.000000Z",
                "2026-01-07T00:00:00.000000Z", "2026-01-08T00:00:00.000000Z");
        assertThat((int) exports.client().export(id).path("progress.rows_exported")).isEqualTo(2);
    }

    @Test
    void longRangeIsClippedToItsEdges() {
        // Given
        Instant from = MONDAY.plus(Duration.ofHours(2));
        Instant to = from.plus(Duration.ofDays(60));
        Traces.run(exports.tenantId(), exports.sessionId(), from);
        Traces.run(exports.tenantId(), exports.sessionId(), to.minusNanos(1000));
        Traces.run(exports.tenantId(), exports.sessionId(), to);
        Traces.run(exports.tenantId(), exports.sessionId(), from.minusNanos(1000));

        // When
        UUID id = exports.complete(from, to, "");

        // Then
        assertThat((int) exports.client().export(id).path("progress.runs_total")).isEqualTo(61);
        assertThat((int) exports.client().export(id).path("progress.rows_exported")).isEqualTo(2);
        assertThat((String) exports.client().runs(id).path("[0].start_time")).isEqualTo("2026-01-05T02:00:00.000000Z");
        assertThat((String) exports.client().runs(id).path("[60].end_time")).isEqualTo("2026-03-06T02:00:00.000000Z");
    }

    @Test
    void longRangeWithoutRunsCompletes() {
        // When
        UUID id = exports.complete(EPOCH, MONDAY, "");

        // Then
        assertThat((int) exports.client().export(id).path("progress.runs_total")).isEqualTo(1);
        assertThat((String) exports.client().runs(id).path("[0].start_time")).isEqualTo("2026-01-04T00:00:00.000000Z");
    }

    @Test
    void rangeOfOneMonthHasARunForEachDay() {
        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(31)), "");

        // Then
        assertThat((int) exports.client().export(id).path("progress.runs_total")).isEqualTo(31);
    }

    @ParameterizedTest
    @ValueSource(strings = { "1970-01-05T00:00:00Z", "2026-01-05T00:00:00Z" })
    void returns422WhenRangeEndsInTheFuture(String from) {
        // When
        Response refused = exports.post(exports.order(Instant.parse(from), Instant.now().plus(DAY), ""));
        Response preview = exports.client().post(Client.EXPORTS + "/preview",
                exports.order(Instant.parse(from), Instant.now().plus(DAY), ""));

        // Then
        assertThat(List.of(refused, preview)).allSatisfy(response -> {
            assertThat(response.statusCode()).as(response.asString()).isEqualTo(422);
            assertThat((String) response.path("errors[0].loc[0]")).isEqualTo("end_time");
            assertThat((String) response.path("detail")).contains("interval_hours");
        });
        assertThat(exports.client().get(Client.EXPORTS).jsonPath().getList("")).isEmpty();
    }

    @Test
    void endOneMinuteInTheFutureIsAccepted() {
        // When
        UUID id = exports.start(MONDAY, Instant.now().plus(Duration.ofMinutes(1)), "");

        // Then
        exports.awaitStatus(id, "Completed");
    }

    @Test
    void scheduleMayStartInTheFuture() {
        // When
        Response created = exports.post(exports.order(Instant.now().plus(DAY), null, ", \"interval_hours\": 6"));

        // Then
        assertThat(created.statusCode()).as(created.asString()).isEqualTo(200);
    }

    @Test
    @Tag("full")
    void runsOutsidePlannedDaysOfBackfillAreLate() {
        // Given
        UUID schedule = exports.start(Instant.now(), null, ", \"interval_hours\": 24");
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY);
        Response made = exports.client().post(Client.EXPORTS + "/" + schedule + "/backfill",
                "{\"start_time\": \"1970-01-01T00:00:00Z\", \"end_time\": \"2026-06-01T00:00:00Z\"}");
        assertThat(made.statusCode()).as(made.asString()).isEqualTo(200);
        UUID backfill = UUID.fromString(made.path("id"));
        exports.awaitStatus(backfill, "Completed");

        // When: before, after and in the planned day, and outside the range
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.minus(Duration.ofDays(400)));
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plus(Duration.ofDays(40)));
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plus(Duration.ofHours(1)));
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plus(Duration.ofDays(200)));

        // Then
        await().untilAsserted(
                () -> assertThat((int) exports.client().export(backfill).path("late_rows")).isEqualTo(3));
        assertThat((int) exports.client().export(backfill).path("progress.rows_exported")).isEqualTo(1);
    }
}
