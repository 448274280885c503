package dev.waybill.export.destination;

/** Credentials that were tried out, and what they allow. */
record CheckedCredentials(SealedCredentials sealed, Capabilities capabilities) {
}
