package dev.waybill.common.api.deployment;

import java.util.Arrays;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonIgnore;

/** The status of a revision, with its allowed successors. */
public enum RevisionStatus {
    /** The source is being resolved. */
    CREATING("QUEUED", "CREATE_FAILED", "SKIPPED", "INTERRUPTED"),
    /** The source is resolved; the revision waits for a permit. */
    QUEUED("AWAITING_BUILD", "SKIPPED", "INTERRUPTED"),
    /** The build is about to start. */
    AWAITING_BUILD("BUILDING", "SKIPPED", "INTERRUPTED"),
    /** The source is being fetched, validated and installed. */
    BUILDING("AWAITING_DEPLOY", "BUILD_FAILED", "SKIPPED", "INTERRUPTED"),
    /** The build is complete and the start is about to begin. */
    AWAITING_DEPLOY("DEPLOYING", "SKIPPED", "INTERRUPTED"),
    /** The revision is started and waits until it is healthy. */
    DEPLOYING("DEPLOYED", "DEPLOY_FAILED", "SKIPPED", "INTERRUPTED"),
    /** The revision was healthy and serves requests unless a newer revision replaced it. */
    DEPLOYED("UNKNOWN"),
    /**
     * The revision was deployed but does not serve requests, or its state cannot be determined; {@code status_message} contains
     * the reason.
     */
    UNKNOWN("DEPLOYED"),
    /** The source cannot be resolved. */
    CREATE_FAILED,
    /** The source could not be fetched, validated or installed. */
    BUILD_FAILED,
    /** The revision did not become healthy. */
    DEPLOY_FAILED,
    /** A newer revision replaced it before it was deployed. */
    SKIPPED,
    /** A user interrupted it. */
    INTERRUPTED;

    private final Set<String> successors;

    RevisionStatus(String... successors) {
        this.successors = Set.of(successors);
    }

    /** Returns whether {@code next} is an allowed successor. */
    public boolean mayBecome(RevisionStatus next) {
        return successors.contains(next.name());
    }

    /** Returns whether the status has no successors. */
    @JsonIgnore
    public boolean isFinal() {
        return successors.isEmpty();
    }

    /** Returns whether the revision is in progress towards DEPLOYED and can be interrupted or replaced. */
    @JsonIgnore
    public boolean isInProgress() {
        return mayBecome(INTERRUPTED);
    }

    /** Returns the names of all statuses in progress. */
    public static String[] inProgressNames() {
        return Arrays.stream(values())
                .filter(RevisionStatus::isInProgress)
                .map(RevisionStatus::name)
                .toArray(String[]::new);
    }
}
