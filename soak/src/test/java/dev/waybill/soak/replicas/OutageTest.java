package dev.waybill.soak.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OutageTest {

    @Test
    void overlapsRequestsInProgressAtItsBeginOrEnd() {
        // Given
        long before = System.nanoTime() - 1;
        Outage outage = new Outage();
        long during = System.nanoTime();

        // When
        outage.end();

        // Then
        long after = System.nanoTime() + 1;
        assertThat(outage.overlaps(before, during)).isTrue();
        assertThat(outage.overlaps(during, during)).isTrue();
        assertThat(outage.overlaps(during, after)).isTrue();
        assertThat(outage.overlaps(before, after)).isTrue();
        assertThat(outage.overlaps(before, before)).isFalse();
        assertThat(outage.overlaps(after, after)).isFalse();
    }

    @Test
    void outageWithoutEndOverlapsLaterTimes() {
        Outage outage = new Outage();
        long later = System.nanoTime() + 1_000_000_000;

        assertThat(outage.overlaps(later, later)).isTrue();
    }
}
