package dev.waybill.export.destination;

/** A destination that was validated and has no row yet. */
record NewDestination(String displayName, Bucket bucket, ValidatedCredentials credentials) {
}
