package dev.waybill.experiment.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.LinkedHashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.waybill.common.api.experiment.KeyComparison;

/** Compares adjusted p-values with those of R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm"). */
class HolmCorrectionTest {

    @Test
    void adjustedPValuesAreThoseOfR() {
        // Given
        Map<String, KeyComparison> keys = keys(0.01, 0.04, 0.03, 0.005);

        // When
        Map<String, KeyComparison> adjusted = HolmCorrection.adjust(keys);

        // Then
        assertThat(adjusted.keySet()).containsExactlyElementsOf(keys.keySet());
        assertThat(adjusted.values().stream().map(KeyComparison::pAdjusted).mapToDouble(p -> p).toArray())
                .containsExactly(new double[] { 0.03, 0.06, 0.06, 0.02 }, within(1e-15));
        assertThat(adjusted.values()).extracting(KeyComparison::pValue).containsExactly(0.01, 0.04, 0.03, 0.005);
    }

    @Test
    void adjustedPValuesAreAtMostOne() {
        assertThat(HolmCorrection.adjust(keys(0.6, 0.7, 1)).values()).extracting(KeyComparison::pAdjusted)
                .containsExactly(1.0, 1.0, 1.0);
    }

    @Test
    void keysWithoutAPValueAreNoTests() {
        // Given
        Map<String, KeyComparison> keys = keys(0.03);
        keys.put("unscored", key(null));

        // Then
        assertThat(HolmCorrection.adjust(keys).values()).extracting(KeyComparison::pAdjusted).containsExactly(0.03, null);
        assertThat(HolmCorrection.adjust(Map.of())).isEmpty();
    }

    private static Map<String, KeyComparison> keys(double... pValues) {
        Map<String, KeyComparison> keys = new LinkedHashMap<>();
        for (double pValue : pValues) {
            keys.put("key " + keys.size(), key(pValue));
        }
        return keys;
    }

    private static KeyComparison key(Double pValue) {
        return new KeyComparison(1, null, null, null, 0, 0, 0, 0, null, pValue, null, null, null, true);
    }
}
