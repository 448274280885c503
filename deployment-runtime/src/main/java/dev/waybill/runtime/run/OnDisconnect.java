package dev.waybill.runtime.run;

import java.util.Locale;

/** What becomes of a run whose client goes away. */
public enum OnDisconnect {
    CANCEL,
    CONTINUE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
