package dev.waybill.soak.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

class ReconciliationTest {

    @Test
    void equalValuesHaveNoDifferences() {
        assertThat(Reconciliation.differences("run", List.of("a", "b"), List.of("b", "a"))).isEmpty();
    }

    @Test
    void reportsMissingDuplicatedAndUnexpectedValues() {
        assertThat(Reconciliation.differences("run", List.of("a", "b", "c"), List.of("b", "b", "c", "d")))
                .containsExactly("run missing: a", "run duplicated: b", "run unexpected: d");
    }

    @Test
    void reportsFirstDifferencesAndNumberOfOthers() {
        List<String> expected = IntStream.range(10, 40).mapToObj(Integer::toString).toList();

        assertThat(Reconciliation.differences("run", expected, Collections.emptyList()))
                .hasSize(11).contains("run missing: 10").last().isEqualTo("run: 20 more, of 30");
    }
}
