package dev.waybill.export.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.export.trace.BinaryRows;
import dev.waybill.export.trace.RunColumn;

/** Tests that the lookup of one trace in a month of files reads little more than its row group. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "requires the read counter of /proc/self/io")
class PointLookupTest {

    private static final int DAYS = 30;
    private static final int RUNS = 600;
    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

    private final Random random = new Random(1);

    @TempDir
    Path folder;

    @Test
    void traceLookupReadsAFractionOfTheBytes() throws Exception {
        // Given
        for (int day = 0; day < DAYS; day++) {
            write(day);
        }
        ParquetFiles files = new ParquetFiles(folder);
        assertThat(files.query("SELECT count(*) AS found FROM FILES WHERE trace_id = '" + trace(3, 9) + "'"))
                .containsExactly(Map.of("found", 5L));

        // When
        long before = readBytes();
        int found = files.query("SELECT * FROM FILES WHERE trace_id = '" + trace(17, 51) + "'").size();
        long read = readBytes() - before;

        // Then
        assertThat(found).isEqualTo(5);
        long all = bytes();
        assertThat(read).as("of %s bytes", all).isLessThan(all / 20);
    }

    private void write(int day) throws IOException {
        var settings = FileSettings.of(Compression.ZSTANDARD, "1.2.3", Map.of());
        Path file = new ParquetFiles(folder).path(day);
        try (var writer = new ParquetRunWriter(ExportSchema.of(ExportField.defaults(), FormatVersion.V2_BETA),
                new ExportedSession(new UUID(0, 1), new UUID(0, 2), "session"), settings,
                index -> Files.newOutputStream(file))) {
            for (int i = 0; i < RUNS; i++) {
                writer.row(BinaryRows.of(Map.of(RunColumn.ID, new UUID(random.nextLong(), random.nextLong()),
                        RunColumn.TRACE_ID, trace(day, i / 5), RunColumn.NAME, "step", RunColumn.STATUS, "success",
                        RunColumn.START_TIME, START.plus(Duration.ofDays(day)).plusSeconds(i), RunColumn.INPUTS, text())));
            }
            writer.finish(RUNS);
        }
    }

    private String text() {
        return random.ints(6_000, ' ', '~').collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static UUID trace(int day, int number) {
        return UUID.nameUUIDFromBytes(new byte[] { (byte) day, (byte) number });
    }

    private long bytes() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    private static long readBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/io")).stream()
                .filter(line -> line.startsWith("rchar:"))
                .mapToLong(line -> Long.parseLong(line.substring("rchar:".length()).strip()))
                .findFirst()
                .orElseThrow();
    }
}
