package dev.waybill.runtime.run;

import java.util.Locale;

/** Effect of a disconnect of the client on its run. */
public enum OnDisconnect {
    CANCEL,
    CONTINUE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
