package dev.waybill.controlplane.rollout;

import java.time.Duration;

import dev.waybill.common.api.deployment.RevisionStatus;

/**
 * The deadline of a revision's step, including retries, and the failure when it is exceeded.
 *
 * @param limit time since the first attempt, on any replica
 */
record Deadline(Duration limit, RevisionStatus end, String timeoutMessage) {

    private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(60);

    static Deadline ofResolving() {
        return new Deadline(RESOLVE_TIMEOUT, RevisionStatus.CREATE_FAILED,
                "The repository did not respond within " + format(RESOLVE_TIMEOUT) + "; check repo_url and try again.");
    }

    static Deadline ofBuilding(RolloutConfig config) {
        return new Deadline(config.buildTimeout(), RevisionStatus.BUILD_FAILED, "The build took longer than "
                + format(config.buildTimeout()) + "; see the log for its progress and reduce the build's work.");
    }

    static Deadline ofDeploying(RolloutConfig config) {
        return new Deadline(config.deployTimeout(), RevisionStatus.DEPLOY_FAILED, "The application was not healthy within "
                + format(config.deployTimeout()) + "; see the log for its output.");
    }

    /** Returns the remaining time, at least zero. */
    Duration remaining(Duration age) {
        Duration remaining = limit.minus(age);
        return remaining.isNegative() ? Duration.ZERO : remaining;
    }

    /** Returns the failure for an exceeded deadline. */
    StepResult.Failed timedOut(String lastMessage) {
        return new StepResult.Failed(end,
                lastMessage.isEmpty() ? timeoutMessage : timeoutMessage + " Last status: " + lastMessage);
    }

    static String format(Duration time) {
        return time.compareTo(Duration.ofMinutes(2)) >= 0 && time.toSecondsPart() == 0 ? time.toMinutes() + " minutes"
                : time.toMillisPart() == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }
}
