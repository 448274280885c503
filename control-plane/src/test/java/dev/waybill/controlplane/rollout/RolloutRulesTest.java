package dev.waybill.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.api.deployment.SourceKind;
import dev.waybill.controlplane.engine.Redaction;
import dev.waybill.controlplane.rollout.RolloutState.Target;

/** Next steps, redaction and durations, as pure functions. */
class RolloutRulesTest {

    private static final UUID ACTIVE = UUID.randomUUID();

    @ParameterizedTest
    @CsvSource({ "CREATING, Resolve", "QUEUED, Advance", "AWAITING_BUILD, Advance", "BUILDING, Build",
            "AWAITING_DEPLOY, Advance",
            "DEPLOYING, Deploy" })
    void newestRevisionPrecedesCleanup(RevisionStatus status, String step) {
        // When
        NextStep next = NextStep.of(state(false, true, target(status), target(RevisionStatus.DEPLOYED)));

        // Then
        assertThat(next.getClass().getSimpleName()).isEqualTo(step);
    }

    @ParameterizedTest
    @EnumSource(RevisionStatus.class)
    void deletedDeploymentIsRemovedInAnyStatus(RevisionStatus status) {
        assertThat(NextStep.of(state(true, true, target(status), null))).isInstanceOf(NextStep.Remove.class);
    }

    @ParameterizedTest
    @EnumSource(value = RevisionStatus.class, names = { "CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "SKIPPED",
            "INTERRUPTED" })
    void failedRevisionIsCleanedUp(RevisionStatus end) {
        assertThat(NextStep.of(state(false, true, target(end), target(RevisionStatus.DEPLOYED))))
                .isEqualTo(new NextStep.CleanUp(Set.of(ACTIVE)));
        assertThat(NextStep.of(state(false, true, target(end), null))).isEqualTo(new NextStep.CleanUp(Set.of()));
        assertThat(NextStep.of(state(false, false, target(end), null))).isInstanceOf(NextStep.Idle.class);
    }

    @ParameterizedTest
    @EnumSource(value = RevisionStatus.class, names = { "DEPLOYED", "UNKNOWN" })
    void deployedRevisionIsObserved(RevisionStatus status) {
        Target active = target(status);
        assertThat(NextStep.of(state(false, false, active, active))).isEqualTo(new NextStep.Observe(active));
    }

    @Test
    void redactsSecretsInEveryForm() {
        // Given
        Redaction redaction = Redaction.of(List.of("p@ss word/1", "p@ss word/1-and-more", "first line\nsecond line", "ab"));

        // When
        String hidden = redaction.apply("p@ss word/1 p%40ss+word%2F1 cEBzcyB3b3JkLzE= p@ss word/1-and-more first line ab");

        // Then
        assertThat(hidden).isEqualTo("*** *** *** *** *** ab");
    }

    @ParameterizedTest
    @CsvSource({ "PT45S, 45 s", "PT0.25S, 250 ms", "PT5M, 5 minutes", "PT90S, 90 s" })
    void formatsDurations(Duration time, String format) {
        assertThat(StepRunner.Deadline.format(time)).isEqualTo(format);
    }

    private static RolloutState state(boolean deleted, boolean needsCleanup, Target newest, @Nullable Target active) {
        return new RolloutState(UUID.randomUUID(), UUID.randomUUID(), "agent", 8100, URI.create("http://localhost:8100"),
                deleted, needsCleanup, 0, null, null, newest, active);
    }

    private static Target target(RevisionStatus status) {
        return new Target(ACTIVE, 1, status, null, SourceKind.REPOHOST, DeploymentSource.EMPTY, RevisionSource.EMPTY, null,
                null, Duration.ZERO, 0, null);
    }
}
