package dev.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarkLockTest {

    @TempDir
    Path folder;

    @Test
    void secondLockOnTheFolderFails() {
        try (BenchmarkLock first = BenchmarkLock.acquire(folder).orElseThrow()) {
            assertThat(first.file().isOpen()).isTrue();
            assertThat(BenchmarkLock.acquire(folder)).isEmpty();
        }
    }

    @Test
    void lockIsAvailableAfterRelease() {
        BenchmarkLock.acquire(folder).orElseThrow().close();

        try (BenchmarkLock next = BenchmarkLock.acquire(folder).orElseThrow()) {
            assertThat(next.file().isOpen()).isTrue();
        }
    }
}
