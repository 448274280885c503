package dev.waybill.export.destination;

import java.util.Locale;

/** The steps of a destination's validation in order; the error names the step that failed. */
enum ProbeStep {
    ADDRESS,
    CONNECT,
    SIGNATURE,
    BUCKET,
    WRITE,
    READ,
    MULTIPART,
    DELETE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
