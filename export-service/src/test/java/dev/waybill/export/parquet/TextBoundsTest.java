package dev.waybill.export.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;

import org.apache.parquet.format.Statistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.export.parquet.ColumnStatistics.TextBounds;

class TextBoundsTest {

    @ParameterizedTest
    @ValueSource(strings = { "a", "z\u007f", "\u00fc", "\u2603", "\ud7ff", "\uffff", "\ud834\udd1e" })
    void truncatedTextsRemainBounds(String character) {
        for (int count = 1; count < 150; count++) {
            byte[] text = character.repeat(count).getBytes(UTF_8);
            byte[] below = TextBounds.truncate(text);
            byte[] above = TextBounds.upperBound(text);

            assertThat(below.length).isLessThanOrEqualTo(TextBounds.MAX_BYTES);
            assertThat(Arrays.compareUnsigned(below, text)).isLessThanOrEqualTo(0);
            assertThat(Arrays.compareUnsigned(above, text)).isGreaterThanOrEqualTo(0);
            assertThat(new String(below, UTF_8).getBytes(UTF_8)).isEqualTo(below);
            assertThat(new String(above, UTF_8).getBytes(UTF_8)).isEqualTo(above);
            assertThat(below.length == text.length).isEqualTo(text.length <= TextBounds.MAX_BYTES);
        }
    }

    @Test
    void noBoundExistsAboveTheLastCharacter() {
        byte[] text = new String(IntStream.generate(() -> Character.MAX_CODE_POINT).limit(40).toArray(), 0, 40).getBytes(UTF_8);
        TextBounds bounds = new TextBounds();
        bounds.add(text, 0, text.length);

        assertThat(TextBounds.upperBound(text)).isNull();
        assertThat(statistics(bounds).isSetMin_value()).isFalse();
        assertThat(statistics(bounds).isSetMax_value()).isFalse();
    }

    @Test
    void shortTextsAreExactBounds() {
        TextBounds bounds = new TextBounds();
        byte[] texts = "mid lowtop\u00fc".getBytes(UTF_8);
        bounds.add(texts, 0, 3);
        bounds.add(texts, 4, 3);
        bounds.add(texts, 7, 5);

        Statistics statistics = statistics(bounds);

        assertThat(statistics.getMin_value()).isEqualTo("low".getBytes(UTF_8));
        assertThat(statistics.getMax_value()).isEqualTo("top\u00fc".getBytes(UTF_8));
        assertThat(statistics.isIs_min_value_exact()).isTrue();
        assertThat(statistics.isIs_max_value_exact()).isTrue();
    }

    @Test
    void columnWithoutValuesHasNoBounds() {
        assertThat(statistics(new TextBounds()).isSetMin_value()).isFalse();
    }

    private static Statistics statistics(TextBounds bounds) {
        Statistics statistics = new Statistics();
        bounds.addTo(statistics);
        return statistics;
    }
}
