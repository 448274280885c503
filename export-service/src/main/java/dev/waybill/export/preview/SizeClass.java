package dev.waybill.export.preview;

import java.util.Arrays;

/**
 * Runs of about the same size: what is seen of some is true of the others, which cannot be said of small and huge ones
 * together.
 */
enum SizeClass {
    SMALL(2 << 10, 8 << 20),
    MEDIUM(32 << 10, 8 << 20),
    LARGE(512 << 10, 8 << 20),
    HUGE(Long.MAX_VALUE, 24 << 20);

    private final long below;
    private final long sampleBytes;

    SizeClass(long below, long sampleBytes) {
        this.below = below;
        this.sampleBytes = sampleBytes;
    }

    /** Returns the class of a run with so many bytes of text. */
    static SizeClass of(long bytes) {
        return Arrays.stream(values())
                .filter(size -> bytes < size.below)
                .findFirst()
                .orElse(HUGE);
    }

    /** Returns the number of the class of {@code bytes}, an expression, as SQL. */
    static String sql(String bytes) {
        return "CASE WHEN %1$s < %2$d THEN 0 WHEN %1$s < %3$d THEN 1 WHEN %1$s < %4$d THEN 2 ELSE 3 END".formatted(bytes,
                SMALL.below, MEDIUM.below, LARGE.below);
    }

    /** How many bytes of text are read of it at most. */
    long sampleBytes() {
        return sampleBytes;
    }
}
