package dev.waybill.export.preview;

import java.util.Arrays;

/** Classes of runs of similar size. A sample is representative within a class, but not for small and huge runs together. */
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

    /** Returns the size class of a run with {@code bytes} of text. */
    static SizeClass of(long bytes) {
        return Arrays.stream(values())
                .filter(size -> bytes < size.below)
                .findFirst()
                .orElse(HUGE);
    }

    /** Returns the SQL expression for the ordinal of the size class of the expression {@code bytes}. */
    static String sql(String bytes) {
        return "CASE WHEN %1$s < %2$s THEN 0 WHEN %1$s < %3$s THEN 1 WHEN %1$s < %4$s THEN 2 ELSE 3 END".formatted(bytes,
                SMALL.below, MEDIUM.below, LARGE.below);
    }

    /** Returns the maximum number of bytes of text to sample. */
    long sampleBytes() {
        return sampleBytes;
    }
}
