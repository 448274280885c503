package dev.waybill.export.trace;

import java.util.UUID;

/**
 * A piece of a query's rows that was read before, from the end of the piece before it.
 *
 * @param last the last row of the piece
 * @param rows how many rows it has
 * @param ids of all of its rows, combined by exclusive or
 * @param snapshot what was seen of the traces when it was read
 */
public record Checkpoint(Position last, long rows, UUID ids, Snapshot snapshot) {
}
