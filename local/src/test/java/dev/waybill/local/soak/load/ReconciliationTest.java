package dev.waybill.local.soak.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

class ReconciliationTest {

    @Test
    void whatIsThereOnceAndWasPromisedIsRight() {
        assertThat(Reconciliation.differences("run", List.of("a", "b"), List.of("b", "a"))).isEmpty();
    }

    @Test
    void whatIsLostDoubledOrWasNeverPromisedIsTold() {
        assertThat(Reconciliation.differences("run", List.of("a", "b", "c"), List.of("b", "b", "c", "d")))
                .containsExactly("run lost: a", "run doubled: b", "run never promised: d");
    }

    @Test
    void theFirstFewAreToldAndHowManyMore() {
        List<String> promised = IntStream.range(10, 40).mapToObj(Integer::toString).toList();

        assertThat(Reconciliation.differences("run", promised, Collections.emptyList()))
                .hasSize(11).contains("run lost: 10").last().isEqualTo("run: 20 more, of 30");
    }
}
