package dev.waybill.export.lake;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

import dev.waybill.common.job.Lease;

/**
 * One attempt to compact a day of a workspace.
 *
 * @param number number of attempts since the last success, with this one
 * @param prefix the prefix of the keys of the attempt's files
 */
record Compaction(Lease lease, LocalDate day, int number, String prefix) {

    Instant startTime() {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    Instant endTime() {
        return day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    }
}
