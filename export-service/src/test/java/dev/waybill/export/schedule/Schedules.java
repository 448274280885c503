package dev.waybill.export.schedule;

import static dev.waybill.common.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import dev.waybill.export.Client;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.schedule.ScheduleRules.Action;
import io.restassured.response.Response;
import io.smallrye.mutiny.Uni;

/** Creates and inspects schedules for tests. */
record Schedules(Exports exports, ScheduleService service) {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    /** Returns the start of an hourly schedule with the given number of due windows and no other due soon. */
    static Instant hoursDue(int windows) {
        return Instant.now().truncatedTo(ChronoUnit.MICROS).minus(Duration.ofHours(windows)).minus(Duration.ofMinutes(20));
    }

    /** Creates an hourly schedule; {@code more} are further members of the body and start with a comma. */
    UUID hourly(Instant start, String more) {
        return exports.start(start, null, ", \"interval_hours\": 1" + more);
    }

    /** Moves the start of a schedule back, so that two more windows are due. */
    void backdate(UUID schedule) {
        Traces.execute("UPDATE export.bulk_exports SET start_time = start_time - interval '140 minutes',"
                + " end_time = end_time - interval '140 minutes' WHERE id = ?", schedule);
    }

    /** Polls all schedules as another replica would. */
    void poll() {
        service.advanceAll().await().atMost(TIMEOUT);
    }

    /** Polls this schedule only. */
    Action step(UUID schedule) {
        return service.advance(exports.tenantId(), schedule).await().atMost(TIMEOUT);
    }

    /** Polls until the given number of windows are exported; asserts that at most one is in progress. */
    void pollUntilEnded(UUID schedule, int windows) {
        pollUntilEnded(schedule, windows, 1);
    }

    /** As above, with concurrent replicas. */
    void pollUntilEnded(UUID schedule, int windows, int replicas) {
        await().atMost(TIMEOUT).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(50)).until(() -> {
            Uni.join().all(Collections.nCopies(replicas, service.advanceAll())).andCollectFailures().await().atMost(TIMEOUT);
            String progress = (String) Traces.query("""
                    SELECT count(*) FILTER (WHERE finished_at IS NULL) || ' ' || count(*) FILTER (WHERE finished_at IS NOT NULL)
                    FROM export.bulk_exports
                    WHERE source_bulk_export_id = ? AND window_number IS NOT NULL
                    """, schedule);
            assertThat(progress).matches("[01] \\d+");
            return Integer.parseInt(progress.substring(2)) >= windows;
        });
    }

    /** Returns the number of window exports that satisfy the condition. */
    long count(UUID schedule, String condition) {
        return (long) Traces.query("SELECT count(*) FROM export.bulk_exports WHERE source_bulk_export_id = ?"
                + " AND window_number IS NOT NULL AND " + condition, schedule);
    }

    /** Returns the windows in the order of their exports' creation. */
    List<Long> windows(UUID schedule) {
        String numbers = (String) Traces
                .query("SELECT coalesce(string_agg(window_number::text, ',' ORDER BY created_at, id), '')"
                        + " FROM export.bulk_exports WHERE source_bulk_export_id = ?", schedule);
        return Stream.of(numbers.split(",")).filter(number -> !number.isEmpty()).map(Long::valueOf).toList();
    }

    /** Returns the export of a window. */
    Response window(UUID schedule, int number) {
        return exports.client().export((UUID) Traces.query("SELECT id FROM export.bulk_exports"
                + " WHERE source_bulk_export_id = ? AND window_number = ?", schedule, number));
    }

    Response backfill(UUID schedule, String from, String to) {
        return exports.client().post(path(schedule), "{\"start_time\": \"" + from + "\", \"end_time\": \"" + to + "\"}");
    }

    static String path(UUID schedule) {
        return Client.EXPORTS + "/" + schedule + "/backfill";
    }
}
