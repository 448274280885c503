package dev.waybill.soak;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.local.RunningStack;

/** A few iterations of {@code ./verify soak}: exports with random faults of workers, PostgreSQL and the object store. */
@Tag("full")
class SoakIT {

    private static final int ITERATIONS = 3;

    @Test
    void exportsWithFaultsContainEveryRowOnce() {
        long seed = Long.getLong("waybill.soak.seed", System.nanoTime());

        assertThatCode(() -> Soak.run(RunningStack.get().stack, ITERATIONS, seed)).doesNotThrowAnyException();
    }
}
