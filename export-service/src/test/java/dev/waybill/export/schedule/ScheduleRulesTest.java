package dev.waybill.export.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.export.schedule.Schedule.Window;
import dev.waybill.export.schedule.ScheduleRules.Action;
import dev.waybill.export.schedule.ScheduleRules.Context;
import dev.waybill.export.schedule.ScheduleRules.Context.WindowResult;

class ScheduleRulesTest {

    private static final Instant START = Instant.parse("2026-01-05T00:00:00Z");
    private static final Instant DUE = Instant.parse("2026-01-05T06:10:00Z");

    private final ScheduleRules rules = new ScheduleRules(Duration.ofMinutes(10));
    private final Schedule schedule = new Schedule(UUID.randomUUID(), UUID.randomUUID(), START, 6, 1, 1);

    @Test
    void dueWindowIsExported() {
        // When
        Action step = rules.next(schedule, new Context(DUE, false, true, true, List.of()));

        // Then
        assertThat(step).isEqualTo(new Action.Spawn(new Window(1, START, START.plusSeconds(6 * 3600))));
    }

    @Test
    void windowIsNotExportedBeforeItIsDue() {
        // When
        Action step = rules.next(schedule,
                new Context(DUE.minusNanos(1000), true, false, false, repeated("access_denied", 9)));

        // Then
        assertThat(step).isEqualTo(Action.Wait.NOT_DUE);
    }

    @Test
    void windowsAreExportedOneAtATime() {
        // When
        Action step = rules.next(schedule, new Context(DUE, true, true, true, List.of()));

        // Then
        assertThat(step).isEqualTo(Action.Wait.EARLIER_WINDOW_UNFINISHED);
    }

    @Test
    void planWithoutBulkExportDelaysTheWindow() {
        // When
        Action step = rules.next(schedule, new Context(DUE, false, false, true, List.of()));

        // Then
        assertThat(step).isEqualTo(Action.Wait.PLAN_LACKS_EXPORT);
    }

    @ParameterizedTest
    @ValueSource(strings = { "access_denied", "unknown_key_id", "wrong_secret", "expired_credentials", "no_such_bucket",
            "wrong_region", "forbidden_address", "destination_gone" })
    void repeatedCustomerErrorsPauseTheSchedule(String code) {
        // When
        Action once = rules.next(schedule, seen(repeated(code, ScheduleRules.MAX_FAILURES - 1)));
        Action often = rules.next(schedule, seen(repeated(code, ScheduleRules.MAX_FAILURES)));

        // Then
        assertThat(once).isInstanceOf(Action.Spawn.class);
        assertThat(often).isInstanceOfSatisfying(Action.Pause.class, pause -> assertThat(pause.reason())
                .isEqualTo("The last 5 exports failed, the last one with: It was code " + code + "."
                        + " Fix the destination and validate it; the schedule then continues with the next window."));
    }

    @ParameterizedTest
    @ValueSource(strings = { "internal", "source_unavailable", "unavailable", "throttled", "timeout", "unreachable",
            "row_count_mismatch", "content_mismatch", "credentials_unavailable", "no_credentials" })
    void transientAndInternalErrorsNeverPause(String code) {
        // When
        Action step = rules.next(schedule, seen(repeated(code, ScheduleRules.MAX_FAILURES)));

        // Then
        assertThat(step).isInstanceOf(Action.Spawn.class);
    }

    @Test
    void otherResultResetsTheFailureCount() {
        // Given
        List<WindowResult> mixed = new ArrayList<>(repeated("access_denied", ScheduleRules.MAX_FAILURES));
        mixed.set(1, result(null));

        // When
        Action step = rules.next(schedule, seen(mixed));

        // Then
        assertThat(step).isInstanceOf(Action.Spawn.class);
    }

    @Test
    void deletedProjectPausesTheSchedule() {
        // When
        Action step = rules.next(schedule, new Context(DUE, false, true, false, List.of()));

        // Then
        assertThat(step).isInstanceOfSatisfying(Action.Pause.class,
                pause -> assertThat(pause.reason()).contains("project"));
    }

    private static Context seen(List<WindowResult> recent) {
        return new Context(DUE, false, true, true, recent);
    }

    private static List<WindowResult> repeated(String code, int times) {
        return Collections.nCopies(times, result(code));
    }

    private static WindowResult result(@Nullable String code) {
        return new WindowResult(code, code == null ? null : "It was code " + code + ".");
    }
}
