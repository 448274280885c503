package dev.waybill.common.api.export;

import java.util.Arrays;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The status of a verification. */
@Schema(enumeration = { "Created", "Running", "Completed", "Failed" })
public enum VerificationStatus {
    CREATED("Created"),
    RUNNING("Running"),
    /** The objects were compared; the result states whether they differ. */
    COMPLETED("Completed"),
    /** The objects could not be read; nothing is known about them. */
    FAILED("Failed");

    private final String wireName;

    VerificationStatus(String wireName) {
        this.wireName = wireName;
    }

    /** Parses the name used in the API and the database. */
    public static VerificationStatus parse(String wireName) {
        return Arrays.stream(values())
                .filter(status -> status.wireName.equals(wireName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown verification status: " + wireName));
    }

    @Override
    public String toString() {
        return wireName;
    }
}
