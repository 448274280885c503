package dev.waybill.export.destination;

/** A validated destination that is not stored yet. */
record NewDestination(String displayName, Bucket bucket, ValidatedCredentials credentials) {
}
