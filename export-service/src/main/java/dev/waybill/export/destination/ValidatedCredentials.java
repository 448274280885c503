package dev.waybill.export.destination;

/** Credentials that were tried out, and what was found. */
record ValidatedCredentials(EncryptedCredentials encrypted, ProbeResult result) {
}
