package dev.waybill.experiment.retention;

import java.util.Locale;

/** How long the runs of a session are worth keeping. */
enum TraceTier {
    SHORTLIVED,
    LONGLIVED;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
