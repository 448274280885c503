package dev.waybill.export.destination;

/** Encrypted credentials with the result of their validation. */
record ValidatedCredentials(EncryptedCredentials encrypted, ProbeResult result) {
}
