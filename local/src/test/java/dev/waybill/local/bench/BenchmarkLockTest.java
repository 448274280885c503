package dev.waybill.local.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarkLockTest {

    @TempDir
    Path folder;

    @Test
    void nobodyElseMeasuresInTheSameFolder() {
        try (BenchmarkLock first = BenchmarkLock.take(folder).orElseThrow()) {
            assertThat(first.file().isOpen()).isTrue();
            assertThat(BenchmarkLock.take(folder)).isEmpty();
        }
    }

    @Test
    void theNextOneMayWhenTheFirstHasEnded() {
        BenchmarkLock.take(folder).orElseThrow().close();

        try (BenchmarkLock next = BenchmarkLock.take(folder).orElseThrow()) {
            assertThat(next.file().isOpen()).isTrue();
        }
    }
}
