package dev.waybill.export.trace;

import java.time.Instant;

/**
 * The database snapshot of a read: rows of later transactions are not visible in it.
 *
 * @param transactions the text form of PostgreSQL's {@code pg_snapshot}
 * @param takenAt a time at or before the snapshot, by PostgreSQL's clock
 */
public record Snapshot(String transactions, Instant takenAt) {
}
