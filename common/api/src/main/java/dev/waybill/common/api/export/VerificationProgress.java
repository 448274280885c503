package dev.waybill.common.api.export;

/** The progress of a verification, by files that were read completely. */
public record VerificationProgress(int filesTotal, int filesChecked, long bytesTotal, long bytesChecked) {
}
