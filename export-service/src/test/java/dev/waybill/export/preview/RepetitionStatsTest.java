package dev.waybill.export.preview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.export.preview.SampleCollector.RepetitionCounter;

class RepetitionStatsTest {

    private static final int TEXT = 1_000;
    private static final double DICTIONARY = 32 << 20;

    /** Texts are chosen from a pool; some hundreds are enough to estimate its size. */
    @ParameterizedTest
    @CsvSource({ "10, 400, 20000", "300, 400, 20000", "3000, 1500, 100000", "20000, 1500, 200000" })
    void dayShareIsEstimatedFromSampledRepeats(int pool, int sampled, int ofDay) {
        RepetitionStats repetition = sample(pool, sampled);

        double share = repetition.dayShare((double) ofDay * TEXT, DICTIONARY, repetition.repeats());
        double least = repetition.dayShare((double) ofDay * TEXT, DICTIONARY, repetition.maxRepeats());
        double most = repetition.dayShare((double) ofDay * TEXT, DICTIONARY, repetition.minRepeats());

        double expected = -Math.expm1(-(double) ofDay / pool) * pool / ofDay;
        assertThat(share).isBetween(expected / 1.5, expected * 1.5).isBetween(least, most);
        assertThat(expected).isBetween(least, most);
    }

    @Test
    void uniqueTextsAreWrittenCompletely() {
        RepetitionStats repetition = sample(Integer.MAX_VALUE, 500);

        assertThat(repetition.writtenShare()).isEqualTo(1);
        assertThat(repetition.dayShare(1e9, DICTIONARY, repetition.repeats())).isEqualTo(1);
        // With few texts, repeats cannot be excluded.
        assertThat(repetition.dayShare(1e9, DICTIONARY, repetition.maxRepeats())).isLessThan(1);
    }

    @Test
    void repeatsWithinABlockCountAtAnySize() {
        RepetitionCounter text = new RepetitionCounter();
        for (int i = 0; i < 300; i++) {
            if (i % 30 == 0) {
                text.startBlock();
            }
            byte[] value = ByteBuffer.allocate(TEXT).putInt(i / 3).array();
            text.add(value, 0, TEXT);
        }

        assertThat(text.repetition().writtenShare()).isCloseTo(1 / 3.0, within(1e-9));
        assertThat(text.repetition().dayShare(1e6, DICTIONARY, 0)).isCloseTo(1 / 3.0, within(1e-9));
    }

    @Test
    void poolLargerThanTheDictionaryIsWrittenRepeatedly() {
        RepetitionStats repetition = sample(3_000, 1_500);

        double whole = repetition.dayShare(1e9, DICTIONARY, repetition.repeats());
        double pieces = repetition.dayShare(1e9, 1_000 * TEXT, repetition.repeats());

        assertThat(pieces).isGreaterThan(10 * whole);
    }

    @Test
    void emptySampleHasAShareOfOne() {
        assertThat(new RepetitionCounter().repetition().dayShare(0, DICTIONARY, 0)).isEqualTo(1);
    }

    private static RepetitionStats sample(int pool, int count) {
        Random random = new Random(7);
        RepetitionCounter text = new RepetitionCounter();
        for (int i = 0; i < count; i++) {
            text.startBlock();
            text.add(ByteBuffer.allocate(TEXT).putInt(random.nextInt(pool)).array(), 0, TEXT);
        }
        return text.repetition();
    }
}
