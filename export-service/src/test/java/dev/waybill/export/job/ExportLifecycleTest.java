package dev.waybill.export.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Fault F19 and all other events of exports in random order: after every step the database equals a simple model.
 * {@code -Dwaybill.test.seed=...} reproduces a failure.
 */
class ExportLifecycleTest {

    private static final long SEED = Long.getLong("waybill.test.seed", System.nanoTime());
    private static final int LIVES = 16;
    private static final int STEPS = 50;

    private final ExportQueue queue = new ExportQueue(Map.of("running-exports", "2", "running-runs", "2"));

    @AfterEach
    void close() {
        queue.close();
    }

    static long[] seeds() {
        return new Random(SEED).longs(LIVES).toArray();
    }

    @ParameterizedTest(name = "life {index}")
    @MethodSource("seeds")
    void everyExportEndsOnceInAnyOrderOfEvents(long life) {
        ExportLifecycleModel exports = new ExportLifecycleModel(queue, new Random(life));
        for (int step = 0; step < STEPS; step++) {
            // When
            exports.step();

            // Then
            assertThat(exports.stored()).as("-Dwaybill.test.seed=%s repeats this: %s", SEED, exports.events())
                    .isEqualTo(exports.expected());
        }
    }
}
