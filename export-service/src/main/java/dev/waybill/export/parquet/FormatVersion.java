package dev.waybill.export.parquet;

import java.util.Arrays;
import java.util.Optional;

/** Defines how the columns of an export's files are typed (interface.md 2.4 {@code format_version}). */
public enum FormatVersion {
    /** Every column is an optional string. */
    V1("v1"),
    /** Times, numbers, booleans and lists have their own types. */
    V2_BETA("v2_beta");

    private final String wireName;

    FormatVersion(String wireName) {
        this.wireName = wireName;
    }

    /** Returns the version with this name in requests and responses. */
    public static Optional<FormatVersion> of(String wireName) {
        return Arrays.stream(values())
                .filter(version -> version.wireName.equals(wireName))
                .findFirst();
    }

    /** Returns the name in requests and responses. */
    public String wireName() {
        return wireName;
    }
}
