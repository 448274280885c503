package dev.waybill.local.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TurnTest {

    @TempDir
    Path folder;

    @Test
    void nobodyElseMeasuresInTheSameFolder() {
        try (Turn first = Turn.take(folder).orElseThrow()) {
            assertThat(first.file().isOpen()).isTrue();
            assertThat(Turn.take(folder)).isEmpty();
        }
    }

    @Test
    void theNextOneMayWhenTheFirstHasEnded() {
        Turn.take(folder).orElseThrow().close();

        try (Turn next = Turn.take(folder).orElseThrow()) {
            assertThat(next.file().isOpen()).isTrue();
        }
    }
}
