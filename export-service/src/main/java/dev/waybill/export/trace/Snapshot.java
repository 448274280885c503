package dev.waybill.export.trace;

import java.time.Instant;

/**
 * What a reading could see: what other transactions stored later is not in it.
 *
 * @param transactions as PostgreSQL writes a {@code pg_snapshot}
 * @param takenAt not after it was taken, by PostgreSQL's clock
 */
public record Snapshot(String transactions, Instant takenAt) {
}
