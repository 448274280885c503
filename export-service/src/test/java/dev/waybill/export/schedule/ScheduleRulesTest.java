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

import dev.waybill.export.schedule.Circumstances.Outcome;

class ScheduleRulesTest {

    private static final Instant START = Instant.parse("2026-01-05T00:00:00Z");
    private static final Instant DUE = Instant.parse("2026-01-05T06:10:00Z");
    private static final int MOST = 3;

    private final ScheduleRules rules = new ScheduleRules(Duration.ofMinutes(10), MOST);
    private final Schedule schedule = new Schedule(UUID.randomUUID(), UUID.randomUUID(), START, 6, 1, 1);

    @Test
    void aWindowThatIsDueIsExported() {
        // When
        NextStep step = rules.next(schedule, new Circumstances(DUE, false, true, true, List.of()));

        // Then
        assertThat(step).isEqualTo(new NextStep.Spawn(new Window(1, START, START.plusSeconds(6 * 3600))));
    }

    @Test
    void aWindowIsNotExportedBeforeItIsDueHoweverBadThingsStand() {
        // When
        NextStep step = rules.next(schedule,
                new Circumstances(DUE.minusNanos(1000), true, false, false, repeated("access_denied", 9)));

        // Then
        assertThat(step).isEqualTo(NextStep.Wait.NOT_DUE);
    }

    @Test
    void windowsAreExportedOneAfterTheOther() {
        // When
        NextStep step = rules.next(schedule, new Circumstances(DUE, true, true, true, List.of()));

        // Then
        assertThat(step).isEqualTo(NextStep.Wait.EARLIER_WINDOW_UNFINISHED);
    }

    @Test
    void aPlanWithoutExportHoldsTheWindowBack() {
        // When
        NextStep step = rules.next(schedule, new Circumstances(DUE, false, false, true, List.of()));

        // Then
        assertThat(step).isEqualTo(NextStep.Wait.PLAN_LACKS_EXPORT);
    }

    @ParameterizedTest
    @ValueSource(strings = { "access_denied", "unknown_key_id", "wrong_secret", "expired_credentials", "no_such_bucket",
            "wrong_region", "forbidden_address", "destination_gone" })
    void whatOnlyTheCustomerCanMendPausesOnceItHappenedOftenEnough(String code) {
        // When
        NextStep once = rules.next(schedule, seen(repeated(code, MOST - 1)));
        NextStep often = rules.next(schedule, seen(repeated(code, MOST)));

        // Then
        assertThat(once).isInstanceOf(NextStep.Spawn.class);
        assertThat(often).isInstanceOfSatisfying(NextStep.Pause.class, pause -> assertThat(pause.reason())
                .isEqualTo("The last 3 exports failed, at last with: It was code " + code + "."
                        + " Mend the destination and have it validated; the schedule then goes on where it stopped."));
    }

    @ParameterizedTest
    @ValueSource(strings = { "internal", "source_unavailable", "unavailable", "throttled", "timeout", "unreachable",
            "row_count_mismatch", "content_mismatch", "credentials_unavailable", "no_credentials" })
    void whatPassesOrIsOursNeverPauses(String code) {
        // When
        NextStep step = rules.next(schedule, seen(repeated(code, MOST)));

        // Then
        assertThat(step).isInstanceOf(NextStep.Spawn.class);
    }

    @Test
    void oneExportThatDidNotFailSoBreaksTheRow() {
        // Given
        List<Outcome> mixed = new ArrayList<>(repeated("access_denied", MOST));
        mixed.set(1, outcome(null));

        // When
        NextStep step = rules.next(schedule, seen(mixed));

        // Then
        assertThat(step).isInstanceOf(NextStep.Spawn.class);
    }

    @Test
    void aProjectThatIsGoneEndsIt() {
        // When
        NextStep step = rules.next(schedule, new Circumstances(DUE, false, true, false, List.of()));

        // Then
        assertThat(step).isInstanceOfSatisfying(NextStep.Pause.class,
                pause -> assertThat(pause.reason()).contains("project"));
    }

    private static Circumstances seen(List<Outcome> recent) {
        return new Circumstances(DUE, false, true, true, recent);
    }

    private static List<Outcome> repeated(String code, int times) {
        return Collections.nCopies(times, outcome(code));
    }

    private static Outcome outcome(@Nullable String code) {
        return new Outcome(code, code == null ? null : "It was code " + code + ".");
    }
}
