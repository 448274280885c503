package dev.waybill.experiment.lake;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

import dev.waybill.common.lake.IndexFormat;

/**
 * A UTC day of a workspace whose files have the same runs as PostgreSQL.
 *
 * @param firstStart a time before which no run of the day starts
 * @param lastStart a time after which no run of the day starts
 * @param files its files; none if the day has no runs
 */
public record LakeDay(LocalDate day, Instant firstStart, Instant lastStart, List<LakeFile> files) {

    public LakeDay {
        files = List.copyOf(files);
    }

    /** Creates a day whose runs can start at any time of it. */
    public LakeDay(LocalDate day, List<LakeFile> files) {
        this(day, startOf(day), startOf(day.plusDays(1)).minusNanos(1_000), files);
    }

    /** Returns the first start time of the day. */
    public Instant start() {
        return startOf(day);
    }

    /** Returns the first start time after the day. */
    public Instant end() {
        return startOf(day.plusDays(1));
    }

    private static Instant startOf(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    /** Returns the size of the files. */
    public long bytes() {
        return files.stream().mapToLong(LakeFile::bytes).sum();
    }

    /** Returns whether all files have the column {@code latency}. */
    public boolean hasLatency() {
        return files.stream().allMatch(LakeFile::hasLatency);
    }

    /**
     * A Parquet file or its text index, which never change.
     *
     * @param key key of the object
     * @param indexBytes size of the text index of a Parquet file; 0 if it has none that this version reads
     * @param hasLatency whether a Parquet file has the column {@code latency}
     */
    public record LakeFile(String key, long bytes, long indexBytes, boolean hasLatency) {

        /** Creates a file without a text index and latencies. */
        public LakeFile(String key, long bytes) {
            this(key, bytes, 0, false);
        }

        /** Returns the text index. */
        Optional<LakeFile> index() {
            return indexBytes == 0 ? Optional.empty() : Optional.of(new LakeFile(IndexFormat.key(key), indexBytes));
        }
    }
}
