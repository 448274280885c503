package dev.waybill.common.api.deployment;

import java.util.Arrays;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonIgnore;

/** Where a revision stands (contract.md "Deployment management"), and where it may go from there. */
public enum RevisionStatus {
    /** Its source is looked up. */
    CREATING("QUEUED", "CREATE_FAILED", "SKIPPED", "INTERRUPTED"),
    /** Its source is known; it waits for its turn. */
    QUEUED("AWAITING_BUILD", "SKIPPED", "INTERRUPTED"),
    /** It is about to be built. */
    AWAITING_BUILD("BUILDING", "SKIPPED", "INTERRUPTED"),
    /** It is fetched, checked and installed. */
    BUILDING("AWAITING_DEPLOY", "BUILD_FAILED", "SKIPPED", "INTERRUPTED"),
    /** It is built and about to be started. */
    AWAITING_DEPLOY("DEPLOYING", "SKIPPED", "INTERRUPTED"),
    /** It is started, and waited for until it is healthy. */
    DEPLOYING("DEPLOYED", "DEPLOY_FAILED", "SKIPPED", "INTERRUPTED"),
    /** It was healthy and requests went to it; so they do still, unless a newer revision took over. */
    DEPLOYED("UNKNOWN"),
    /** It was deployed, and does not serve or cannot be seen now; {@code status_message} says why. */
    UNKNOWN("DEPLOYED"),
    /** Its source cannot be resolved. */
    CREATE_FAILED,
    /** Its source could not be fetched, checked or installed. */
    BUILD_FAILED,
    /** It did not become healthy. */
    DEPLOY_FAILED,
    /** A newer revision overtook it. */
    SKIPPED,
    /** Somebody stopped it. */
    INTERRUPTED;

    private final Set<String> successors;

    RevisionStatus(String... successors) {
        this.successors = Set.of(successors);
    }

    /** Whether it may follow on this one. */
    public boolean mayBecome(RevisionStatus next) {
        return successors.contains(next.name());
    }

    /** Whether nothing follows on it. */
    @JsonIgnore
    public boolean isFinal() {
        return successors.isEmpty();
    }

    /** Whether it is on its way to DEPLOYED, so that it can be interrupted and overtaken. */
    @JsonIgnore
    public boolean isUnderWay() {
        return mayBecome(INTERRUPTED);
    }

    /** The names of those that are on their way. */
    public static String[] underWay() {
        return Arrays.stream(values())
                .filter(RevisionStatus::isUnderWay)
                .map(RevisionStatus::name)
                .toArray(String[]::new);
    }
}
