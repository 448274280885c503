package dev.waybill.common.api.export;

import java.util.Locale;

/** The kinds of storage that exports can go to. */
public enum DestinationType {
    S3;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
