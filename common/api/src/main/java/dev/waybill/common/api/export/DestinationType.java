package dev.waybill.common.api.export;

import java.util.Locale;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The types of storage for exports. */
@Schema(enumeration = { "s3" })
public enum DestinationType {
    S3;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
