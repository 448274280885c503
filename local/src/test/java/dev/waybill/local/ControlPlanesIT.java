package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.waybill.local.soak.deployments.AvailabilityProbe;
import dev.waybill.local.soak.deployments.DeploymentGroup;
import dev.waybill.local.soak.deployments.TestDeployment;

/**
 * Two control planes on one database and one machine: many deployments updated at once, and one of the two killed or standing
 * still at every point of a revision's way (F27). Applications serve throughout. {@code ./verify soak --deployments 20} does
 * the
 * former with the packaged runtime.
 */
class ControlPlanesIT {

    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final int MANY = 20;
    private static final int UPDATES = 5;

    @TempDir
    private static Path folder;

    private static ControlPlanes planes;
    private static DeploymentGroup fleet;

    @BeforeAll
    static void start() {
        planes = ControlPlanes.start(Workspace.create("planes"), folder);
        fleet = DeploymentGroup.deploy(planes.steady(), MANY);
    }

    @AfterAll
    static void leaveNothing() {
        fleet.delete();
        await().atMost(LIMIT).untilAsserted(() -> assertThat(fleet.remainingResources()).isEmpty());
        fleet.close();
        planes.close();
    }

    @AfterEach
    void resume() {
        planes.resume();
    }

    @Test
    void manyDeploymentsUpdatedAtOnceEndOnTheirNewestRevisionsEachStepDoneOnceAndNoRequestFails() {
        // Given
        Set<String> before = fleet.revisions();
        try (AvailabilityProbe probe = AvailabilityProbe.start(fleet.deployments(), planes.both().apiKey())) {
            awaitMore(probe);

            // When
            fleet.update(planes.both(), UPDATES);
            fleet.awaitLatest();

            // Then
            await().atMost(LIMIT).untilAsserted(() -> assertThat(probe.outdated()).isEmpty());
            await().atMost(LIMIT).untilAsserted(() -> assertThat(fleet.outdated()).isEmpty());
            assertThat(fleet.stepsNotExecutedOnce(before)).isEmpty();
            await().atMost(LIMIT).untilAsserted(() -> assertThat(fleet.obsoleteResources()).isEmpty());
            awaitMore(probe);
            assertThat(probe.failures()).isEmpty();
        }
    }

    static Stream<Arguments> pointsToDieAt() {
        return Stream.of(
                Arguments.of("CREATING", CodePoint.recording("QUEUED")),
                Arguments.of("QUEUED", CodePoint.recording("AWAITING_BUILD")),
                Arguments.of("AWAITING_BUILD", CodePoint.recording("BUILDING")),
                Arguments.of("BUILDING", CodePoint.engine("installing", "Command", "watch")),
                Arguments.of("BUILDING", CodePoint.recording("AWAITING_DEPLOY")),
                Arguments.of("AWAITING_DEPLOY", CodePoint.recording("DEPLOYING")),
                Arguments.of("DEPLOYING", CodePoint.engine("process started", "Application", "awaitMark")),
                Arguments.of("DEPLOYING", CodePoint.activating()),
                Arguments.of("DEPLOYED", CodePoint.engine("ending the one before", "Retirement", "end")));
    }

    @ParameterizedTest
    @MethodSource("pointsToDieAt")
    void aRevisionGoesOnWhereverItsControlPlaneWasKilled(String status, CodePoint point) {
        // Given
        TestDeployment member = fleet.deployments().getFirst();
        try (AvailabilityProbe probe = AvailabilityProbe.start(List.of(member), planes.both().apiKey());
                Debugger debugger = planes.alone()) {
            planes.updateAndStop(member, debugger, point);
            // It may have come by for another deployment first.
            while (!latestStatus(member).equals(status)) {
                debugger.awaitNextStop(point);
            }
            awaitMore(probe);

            // When
            planes.die();
            fleet.awaitLatest();

            // Then
            requireWhole(probe);
        }
    }

    @Test
    void aControlPlaneThatStoodStillPastItsLeaseChangesNothingAnyMore() {
        // Given
        TestDeployment member = fleet.deployments().getFirst();
        try (AvailabilityProbe probe = AvailabilityProbe.start(List.of(member), planes.both().apiKey());
                Debugger debugger = planes.alone()) {
            planes.updateAndStop(member, debugger, CodePoint.engine("waiting for health", "Application", "isHealthy"));

            // When
            planes.takeOver();
            fleet.awaitLatest();
            debugger.goOn();

            // Then
            requireWhole(probe);
        }
    }

    private void requireWhole(AvailabilityProbe probe) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(fleet.outdated()).isEmpty());
        await().atMost(LIMIT).untilAsserted(() -> assertThat(fleet.obsoleteResources()).isEmpty());
        await().atMost(LIMIT).untilAsserted(() -> assertThat(probe.outdated()).isEmpty());
        awaitMore(probe);
        assertThat(probe.failures()).isEmpty();
    }

    private static String latestStatus(TestDeployment member) {
        return TableText.value("SELECT r.status FROM deploy.revisions AS r JOIN deploy.deployments AS d"
                + " ON d.latest_revision_id = r.id WHERE d.id = '" + member.id() + "'");
    }

    private static void awaitMore(AvailabilityProbe probe) {
        int enough = probe.minResponses() + 2;
        await().atMost(LIMIT).until(() -> probe.minResponses() >= enough);
    }
}
