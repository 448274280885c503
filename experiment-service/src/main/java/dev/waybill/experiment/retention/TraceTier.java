package dev.waybill.experiment.retention;

import java.util.Locale;

/** Retention tier of a session. */
enum TraceTier {
    SHORTLIVED,
    LONGLIVED;

    /** Returns whether sessions have this tier unless they are created with another. */
    boolean isDefault() {
        return this == LONGLIVED;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
