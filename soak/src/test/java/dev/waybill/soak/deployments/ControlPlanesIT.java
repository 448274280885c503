package dev.waybill.soak.deployments;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.waybill.local.CodePoint;
import dev.waybill.local.Debugger;
import dev.waybill.local.TableText;
import dev.waybill.local.Workspace;

/**
 * Two control planes on one database and one machine: concurrent updates of many deployments, and one control plane killed or
 * suspended at each step of a revision (F27). Applications must stay available. {@code ./verify soak --deployments 20} runs the
 * updates with the packaged runtime.
 */
@Tag("full")
class ControlPlanesIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final int DEPLOYMENTS = 20;
    private static final int UPDATES = 5;

    @TempDir
    private static Path folder;

    private static ControlPlanes planes;
    private static DeploymentGroup group;

    @BeforeAll
    static void start() {
        planes = ControlPlanes.start(Workspace.create("planes"), folder);
        group = DeploymentGroup.deploy(planes.steady(), DEPLOYMENTS);
    }

    @AfterAll
    static void deleteDeployments() {
        group.delete();
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(group.remainingResources()).isEmpty());
        group.close();
        planes.close();
    }

    @AfterEach
    void resume() {
        planes.resume();
    }

    @Test
    void concurrentUpdatesRunEachStepOnceAndFailNoRequest() {
        // Given
        Set<String> before = group.revisions();
        try (AvailabilityProbe probe = AvailabilityProbe.start(group.deployments(), planes.both().apiKey())) {
            awaitMore(probe);

            // When
            group.update(planes.both(), UPDATES);
            group.awaitLatest();

            // Then
            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(probe.outdated()).isEmpty());
            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(group.outdated()).isEmpty());
            assertThat(group.stepsNotExecutedOnce(before)).isEmpty();
            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(group.obsoleteResources()).isEmpty());
            awaitMore(probe);
            assertThat(probe.failures()).isEmpty();
        }
    }

    static Stream<Arguments> killPoints() {
        return Stream.of(
                Arguments.of("BUILDING", CodePoint.engine("installing", "BuildCommand", "enforceLimits")),
                Arguments.of("DEPLOYING", CodePoint.engine("process started", "ApplicationProcess", "awaitMarker")),
                Arguments.of("DEPLOYING", CodePoint.activating()));
    }

    static Stream<Arguments> otherKillPoints() {
        return Stream.of(
                Arguments.of("CREATING", CodePoint.recording("QUEUED")),
                Arguments.of("QUEUED", CodePoint.recording("AWAITING_BUILD")),
                Arguments.of("AWAITING_BUILD", CodePoint.recording("BUILDING")),
                Arguments.of("BUILDING", CodePoint.recording("AWAITING_DEPLOY")),
                Arguments.of("AWAITING_DEPLOY", CodePoint.recording("DEPLOYING")),
                Arguments.of("DEPLOYED", CodePoint.engine("stopping the previous revision", "LocalRevisionCleanup", "end")));
    }

    @ParameterizedTest
    @MethodSource("killPoints")
    void revisionContinuesAfterKillOfControlPlane(String status, CodePoint point) {
        killAt(status, point);
    }

    @ParameterizedTest
    @MethodSource("otherKillPoints")
    @Tag("long")
    void revisionContinuesAfterKillAtOtherSteps(String status, CodePoint point) {
        killAt(status, point);
    }

    private void killAt(String status, CodePoint point) {
        // Given
        TestDeployment deployment = group.deployments().getFirst();
        try (AvailabilityProbe probe = AvailabilityProbe.start(List.of(deployment), planes.both().apiKey());
                Debugger debugger = planes.alone()) {
            planes.updateAndStop(deployment, debugger, point);
            // Another deployment may have reached the point first.
            while (!latestStatus(deployment).equals(status)) {
                debugger.awaitNextStop(point);
            }
            awaitMore(probe);

            // When
            planes.killFaulty();
            group.awaitLatest();

            // Then
            assertUpToDate(probe);
        }
    }

    @Test
    void suspendedControlPlaneChangesNothingAfterLeaseExpiry() {
        // Given
        TestDeployment deployment = group.deployments().getFirst();
        try (AvailabilityProbe probe = AvailabilityProbe.start(List.of(deployment), planes.both().apiKey());
                Debugger debugger = planes.alone()) {
            planes.updateAndStop(deployment, debugger,
                    CodePoint.engine("waiting for health", "ApplicationProcess", "isHealthy"));

            // When
            planes.takeOver();
            group.awaitLatest();
            debugger.resume();

            // Then
            assertUpToDate(probe);
        }
    }

    private void assertUpToDate(AvailabilityProbe probe) {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(group.outdated()).isEmpty());
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(group.obsoleteResources()).isEmpty());
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(probe.outdated()).isEmpty());
        awaitMore(probe);
        assertThat(probe.failures()).isEmpty();
    }

    private static String latestStatus(TestDeployment deployment) {
        return TableText.value("SELECT r.status FROM deploy.revisions AS r JOIN deploy.deployments AS d"
                + " ON d.latest_revision_id = r.id WHERE d.id = '" + deployment.id() + "'");
    }

    private static void awaitMore(AvailabilityProbe probe) {
        int expected = probe.minResponses() + 2;
        await().atMost(TIMEOUT).until(() -> probe.minResponses() >= expected);
    }
}
