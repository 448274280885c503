package dev.waybill.export.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativeMemoryTest {

    private static final int BLOCK = 3 << 20;
    private static final int BLOCKS = 64;

    @ParameterizedTest
    @ValueSource(ints = { 0, 1, 4096, 300_000, BLOCK })
    void bufferIsDirectAndHasTheRequestedSize(int size) {
        try (NativeMemory memory = new NativeMemory()) {
            ByteBuffer block = memory.allocate(size);

            assertThat(block.remaining()).isEqualTo(size);
            assertThat(block.isDirect()).isTrue();
        }
    }

    @Test
    void closedMemoryCannotBeRead() {
        NativeMemory memory = new NativeMemory();
        ByteBuffer block = memory.allocate(BLOCK);

        memory.close();

        assertThatThrownBy(() -> block.get(0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void releasedLargeBlocksReturnToTheSystem() throws IOException {
        assumeThat(Path.of("/proc/self/status")).exists();
        try (NativeMemory memory = new NativeMemory()) {
            long before = residentBytes();
            List<ByteBuffer> blocks = new ArrayList<>();
            for (int i = 0; i < BLOCKS; i++) {
                blocks.add(written(memory.allocate(BLOCK)));
                // Small blocks in between would prevent an arena from shrinking.
                written(memory.allocate(100_000));
            }
            assertThat(residentBytes() - before).isGreaterThan((long) BLOCKS / 2 * BLOCK);

            blocks.forEach(memory::release);

            assertThat(residentBytes() - before).isLessThan((long) BLOCKS / 2 * BLOCK);
        }
    }

    @Test
    void unwrittenMemoryIsNotResident() throws IOException {
        assumeThat(Path.of("/proc/self/status")).exists();
        try (NativeMemory memory = new NativeMemory()) {
            long before = residentBytes();

            memory.allocate(BLOCKS * BLOCK);

            assertThat(residentBytes() - before).isLessThan((long) BLOCKS / 2 * BLOCK);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "malloc", "malloc free mallopt" })
    void missingFunctionsAreReplacedByJavasMemory(String functions) {
        // Given
        NativeHeap heap = NativeHeap.open(library(functions));

        // When
        try (NativeMemory memory = new NativeMemory(heap)) {
            ByteBuffer block = written(memory.allocate(BLOCK));
            memory.release(block);
            ByteBuffer again = memory.allocate(BLOCK);

            // Then
            assertThat(heap.isAvailable()).isFalse();
            assertThat(block.isDirect()).isTrue();
            assertThat(again.remaining()).isEqualTo(BLOCK);
        }
    }

    @Test
    void unsupportedForeignFunctionsAreReplaced() {
        // When: as in a native image without foreign functions
        NativeHeap heap = NativeHeap.open(_ -> {
            throw new UnsupportedOperationException();
        });

        // Then
        assertThat(heap.isAvailable()).isFalse();
        heap.trim();
    }

    @Test
    void heapWithoutMalloptIsUsedAsItIs() {
        // Given: as with musl
        NativeHeap heap = NativeHeap.open(library("malloc free"));

        // When
        try (NativeMemory memory = new NativeMemory(heap)) {
            ByteBuffer block = written(memory.allocate(BLOCK));

            // Then
            assertThat(heap.isAvailable()).isTrue();
            assertThat(block.get(0)).isEqualTo((byte) 1);
        }
    }

    private static SymbolLookup library(String functions) {
        return name -> List.of(functions.split(" ")).contains(name) ? Linker.nativeLinker().defaultLookup().find(name)
                : Optional.empty();
    }

    private static ByteBuffer written(ByteBuffer block) {
        for (int at = 0; at < block.limit(); at += 4096) {
            block.put(at, (byte) 1);
        }
        return block;
    }

    private static long residentBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .sum();
    }
}
