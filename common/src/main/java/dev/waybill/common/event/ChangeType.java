package dev.waybill.common.event;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Types of changes. */
public enum ChangeType {
    /** Runs of a session were stored or patched. */
    RUNS,
    /** A session was created, changed or deleted. */
    SESSION,
    /** An experiment was uploaded. */
    EXPERIMENT,
    /** Feedback on a session or its runs was created, changed or deleted. */
    FEEDBACK,
    /** A dataset was deleted. */
    DATASET,
    /** A deployment was created, changed or deleted, or one of its revisions was created, interrupted or activated. */
    DEPLOYMENT,
    /** A revision has moved. */
    REVISION,
    /** An export or its runs, windows or verifications have changed. */
    EXPORT;

    /** Returns the type with this name; empty for types of newer releases. */
    public static Optional<ChangeType> of(String wireName) {
        return Arrays.stream(values()).filter(type -> type.wireName().equals(wireName)).findFirst();
    }

    /** Returns the name as in the API. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
