package dev.waybill.export.parquet;

import java.util.Arrays;
import java.util.Optional;

/** How the columns of an export's files are typed (interface.md 2.4 {@code format_version}). */
public enum FormatVersion {
    /** Every column an optional string. */
    V1("v1"),
    /** Times, numbers, booleans and lists in types of their own. */
    V2_BETA("v2_beta");

    private final String wireName;

    FormatVersion(String wireName) {
        this.wireName = wireName;
    }

    /** The version of that name on the wire. */
    public static Optional<FormatVersion> of(String wireName) {
        return Arrays.stream(values())
                .filter(version -> version.wireName.equals(wireName))
                .findFirst();
    }

    /** The name on the wire. */
    public String wireName() {
        return wireName;
    }
}
