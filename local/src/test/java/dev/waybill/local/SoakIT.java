package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

import dev.waybill.local.soak.Soak;

/** A few iterations of {@code ./verify soak}: exports with random faults of workers, PostgreSQL and the object store. */
class SoakIT {

    private static final int ITERATIONS = 3;

    @Test
    void exportsWithFaultsContainEveryRowOnce() {
        long seed = Long.getLong("waybill.soak.seed", System.nanoTime());

        assertThatCode(() -> Soak.run(RunningStack.get().stack, ITERATIONS, seed)).doesNotThrowAnyException();
    }
}
