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
import io.restassured.response.Response;
import io.smallrye.mutiny.Uni;

/** Schedules for tests, and what became of them. */
record Schedules(Exports exports, ScheduleService service) {

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** The start of an hourly schedule of which so many windows are due now, and none more for a good while. */
    static Instant hoursDue(int windows) {
        return Instant.now().truncatedTo(ChronoUnit.MICROS).minus(Duration.ofHours(windows)).minus(Duration.ofMinutes(20));
    }

    /** Orders an hourly schedule, with further members of the body, beginning with a comma. */
    UUID hourly(Instant start, String more) {
        return exports.start(start, null, ", \"interval_hours\": 1" + more);
    }

    /** Lets a schedule have begun earlier, so that two more windows of it are due. */
    void backdate(UUID schedule) {
        Traces.execute("UPDATE export.bulk_exports SET start_time = start_time - interval '140 minutes',"
                + " end_time = end_time - interval '140 minutes' WHERE id = ?", schedule);
    }

    /** Comes by as another replica would. */
    void comeBy() {
        service.stepAll().await().atMost(PATIENCE);
    }

    /** Comes by for this schedule alone. */
    NextStep step(UUID schedule) {
        return service.step(exports.tenantId(), schedule).await().atMost(PATIENCE);
    }

    /** Comes by until so many windows were exported and have ended; never is more than one of them under way. */
    void comeByUntilEnded(UUID schedule, int windows) {
        comeByUntilEnded(schedule, windows, 1);
    }

    /** As above, with so many replicas at the same time. */
    void comeByUntilEnded(UUID schedule, int windows, int replicas) {
        await().atMost(PATIENCE).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(50)).until(() -> {
            Uni.join().all(Collections.nCopies(replicas, service.stepAll())).andCollectFailures().await().atMost(PATIENCE);
            String progress = (String) Traces.query("""
                    SELECT count(*) FILTER (WHERE finished_at IS NULL) || ' ' || count(*) FILTER (WHERE finished_at IS NOT NULL)
                    FROM export.bulk_exports
                    WHERE source_bulk_export_id = ? AND window_number IS NOT NULL
                    """, schedule);
            assertThat(progress).matches("[01] \\d+");
            return Integer.parseInt(progress.substring(2)) >= windows;
        });
    }

    /** How many of the exports that the schedule made for its windows are so. */
    long count(UUID schedule, String condition) {
        return (long) Traces.query("SELECT count(*) FROM export.bulk_exports WHERE source_bulk_export_id = ?"
                + " AND window_number IS NOT NULL AND " + condition, schedule);
    }

    /** The windows in the order in which their exports were made. */
    List<Long> windows(UUID schedule) {
        String numbers = (String) Traces
                .query("SELECT coalesce(string_agg(window_number::text, ',' ORDER BY created_at, id), '')"
                        + " FROM export.bulk_exports WHERE source_bulk_export_id = ?", schedule);
        return Stream.of(numbers.split(",")).filter(number -> !number.isEmpty()).map(Long::valueOf).toList();
    }

    /** The export of a window. */
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
