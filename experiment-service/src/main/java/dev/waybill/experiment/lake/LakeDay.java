package dev.waybill.experiment.lake;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/**
 * A UTC day of a workspace whose files have the same runs as PostgreSQL.
 *
 * @param files its files; none if the day has no runs
 */
public record LakeDay(LocalDate day, List<LakeFile> files) {

    public LakeDay {
        files = List.copyOf(files);
    }

    /** Returns the first start time of the day. */
    public Instant start() {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    /** Returns the first start time after the day. */
    public Instant end() {
        return day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    /** Returns the size of the files. */
    public long bytes() {
        return files.stream().mapToLong(LakeFile::bytes).sum();
    }

    /**
     * A Parquet file, which never changes.
     *
     * @param key key of the object
     */
    public record LakeFile(String key, long bytes) {
    }
}
