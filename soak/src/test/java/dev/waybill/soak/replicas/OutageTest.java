package dev.waybill.soak.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OutageTest {

    @Test
    void requestsThatWereUnderWayWhenItBeganOrEndedMayHaveMetIt() {
        // Given
        long before = System.nanoTime() - 1;
        Outage absence = new Outage();
        long during = System.nanoTime();

        // When
        absence.end();

        // Then
        long after = System.nanoTime() + 1;
        assertThat(absence.overlaps(before, during)).isTrue();
        assertThat(absence.overlaps(during, during)).isTrue();
        assertThat(absence.overlaps(during, after)).isTrue();
        assertThat(absence.overlaps(before, after)).isTrue();
        assertThat(absence.overlaps(before, before)).isFalse();
        assertThat(absence.overlaps(after, after)).isFalse();
    }

    @Test
    void whoIsNotBackIsStillAway() {
        Outage absence = new Outage();
        long later = System.nanoTime() + 1_000_000_000;

        assertThat(absence.overlaps(later, later)).isTrue();
    }
}
