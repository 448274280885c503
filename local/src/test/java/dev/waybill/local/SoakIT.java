package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

import dev.waybill.local.soak.Soak;

/** A little of {@code ./verify soak}: workers, PostgreSQL and the store fail at random moments, exports stay whole. */
class SoakIT {

    private static final int ITERATIONS = 3;

    @Test
    void exportsUnderFireAreCompletedWithEveryRowOnce() {
        long seed = Long.getLong("waybill.soak.seed", System.nanoTime());

        assertThatCode(() -> Soak.run(RunningStack.get().stack, ITERATIONS, seed)).doesNotThrowAnyException();
    }
}
