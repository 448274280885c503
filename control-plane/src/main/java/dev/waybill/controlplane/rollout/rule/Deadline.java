package dev.waybill.controlplane.rollout.rule;

import java.time.Duration;

import dev.waybill.common.api.deployment.RevisionStatus;

/**
 * How long a step of a revision may take, tries included, and what it is told when it took longer.
 *
 * @param limit from the first try on, whoever made it
 */
public record Deadline(Duration limit, RevisionStatus end, String late) {

    public static Deadline ofResolving(RolloutConfig config) {
        return new Deadline(config.resolveTime(), RevisionStatus.CREATE_FAILED,
                "The repository did not answer within " + words(config.resolveTime()) + "; check repo_url and try again.");
    }

    public static Deadline ofBuilding(RolloutConfig config) {
        return new Deadline(config.buildTime(), RevisionStatus.BUILD_FAILED, "The build took longer than "
                + words(config.buildTime()) + "; see the log for where it stood, and make it smaller.");
    }

    public static Deadline ofDeploying(RolloutConfig config) {
        return new Deadline(config.deployTime(), RevisionStatus.DEPLOY_FAILED, "The application was not healthy within "
                + words(config.deployTime()) + "; see the log for what it said.");
    }

    /** What is left of the time, perhaps nothing. */
    public Duration left(Duration age) {
        Duration left = limit.minus(age);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** The verdict when nothing is left. */
    public Verdict.Failed over(String lastWord) {
        return new Verdict.Failed(end, lastWord.isEmpty() ? late : late + " Last: " + lastWord);
    }

    static String words(Duration time) {
        return time.compareTo(Duration.ofMinutes(2)) >= 0 && time.toSecondsPart() == 0 ? time.toMinutes() + " minutes"
                : time.toMillisPart() == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }
}
