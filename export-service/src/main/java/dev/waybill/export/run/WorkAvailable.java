package dev.waybill.export.run;

/**
 * Event fired after a transaction that created work; this replica polls immediately. Losing it only delays the work until the
 * next poll.
 */
public record WorkAvailable() {
}
