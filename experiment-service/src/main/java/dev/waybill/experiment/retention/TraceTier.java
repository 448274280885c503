package dev.waybill.experiment.retention;

import java.util.Locale;

/** Retention tier of a session. */
enum TraceTier {
    SHORTLIVED,
    LONGLIVED;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
