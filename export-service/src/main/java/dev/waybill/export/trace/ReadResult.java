package dev.waybill.export.trace;

/**
 * The result of reading a query.
 *
 * @param rows the number of rows read, which equals the number that PostgreSQL sent
 */
public record ReadResult(long rows, Snapshot snapshot) {
}
