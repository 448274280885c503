package dev.waybill.export.trace;

/**
 * What came of reading a query.
 *
 * @param rows how many were read, which is also how many PostgreSQL says it sent
 */
public record ReadResult(long rows, Snapshot snapshot) {
}
