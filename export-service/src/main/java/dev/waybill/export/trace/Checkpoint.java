package dev.waybill.export.trace;

import java.util.UUID;

/**
 * A range of a query's rows that was already read, starting after the previous checkpoint.
 *
 * @param last the last row of the range
 * @param rows the number of rows
 * @param ids the ids of all rows, combined by exclusive or
 * @param snapshot the snapshot in which the range was read
 */
public record Checkpoint(Position last, long rows, UUID ids, Snapshot snapshot) {
}
