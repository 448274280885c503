package dev.waybill.export.run;

/**
 * Fired after a transaction that made work: workers look at once instead of at their next turn. Nothing depends on it; what it
 * would have told stands in the database.
 */
public record WorkDue() {
}
