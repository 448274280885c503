package dev.waybill.runtime.jsonstate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.waybill.runtime.jsonstate.JsonStateMemory.Reservation;
import dev.waybill.runtime.jsonstate.JsonStateMemory.UnavailableException;

class JsonStateMemoryTest {

    private static final long SHARE = Runtime.getRuntime().maxMemory() / 4;
    /** Two trees, each of five times the JSON, as those of short messages. */
    private static final int TREES = 10;

    private final JsonStateMemory memory = new JsonStateMemory();

    @Test
    void treesOfAllStatesFitIntoTheShareOfTheHeap() {
        int size = 100_000;

        List<Reservation> states = reserveAll(size);

        assertThat(states.size() * (long) size * TREES).isPositive().isLessThan(SHARE);
    }

    @Test
    void runsWithoutAStateUseMemory() {
        assertThat(reserveAll(0)).hasSizeLessThanOrEqualTo((int) (SHARE / JsonStateMemory.MIN_BYTES));
    }

    @Test
    void largestStateFitsAlone() {
        Reservation largest = memory.reserve(JsonState.MAX_BYTES);
        largest.release();
        largest.release();

        memory.reserve(JsonState.MAX_BYTES);

        assertThat(memory.used()).isLessThanOrEqualTo(SHARE);
    }

    @Test
    void grownStateUsesMoreMemoryUntilItsRelease() {
        List<Reservation> all = reserveAll(0);
        Reservation grown = all.getFirst();

        grown.grow(1 << 20);
        all.getLast().release();

        assertThatThrownBy(() -> memory.reserve(0)).isInstanceOf(UnavailableException.class);
        grown.release();
        grown.grow(1 << 20);
        memory.reserve(0);
    }

    private List<Reservation> reserveAll(long size) {
        List<Reservation> reserved = new ArrayList<>();
        assertThatThrownBy(() -> Stream.generate(() -> memory.reserve(size)).forEach(reserved::add))
                .isInstanceOf(UnavailableException.class);
        return reserved;
    }
}
