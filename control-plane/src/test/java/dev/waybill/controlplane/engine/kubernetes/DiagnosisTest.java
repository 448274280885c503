package dev.waybill.controlplane.engine.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.waybill.controlplane.engine.kubernetes.Diagnosis.Health;
import dev.waybill.controlplane.engine.kubernetes.Diagnosis.PodProblem;
import dev.waybill.controlplane.engine.kubernetes.Diagnosis.PodProblem.ContainerLog;
import dev.waybill.controlplane.engine.kubernetes.Diagnosis.RevisionSnapshot;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;

/** Maps a cluster's state to problems; the messages are those of real clusters. */
class DiagnosisTest {

    private static final Instant NOW = Instant.parse("2026-11-22T06:00:00Z");

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void reportsProblems(String name, RevisionSnapshot snapshot, boolean retryable, List<String> message) {
        PodProblem problem = Diagnosis.of(snapshot).problem();

        assertThat(problem).isNotNull();
        assertThat(problem.reason()).contains(message);
        assertThat(problem.retryable()).isEqualTo(retryable);
    }

    static Stream<Arguments> reportsProblems() {
        return Stream.of(
                Arguments.of("image not found, at first", snapshot(PodFixture.pod().young().waiting("application",
                        "ErrImagePull",
                        "rpc error: code = NotFound desc = failed to pull and unpack image \"acme/chat:9\": not found")),
                        true, List.of("The image \"acme/chat:1\" cannot be pulled", "not found.", "Check its name")),
                Arguments.of("image not found, for long", snapshot(PodFixture.pod().old().waiting("fetch", "ImagePullBackOff",
                        "Back-off pulling image \"acme/chat:1\"")), false, List.of("cannot be pulled", "Back-off")),
                Arguments.of("image's name", snapshot(PodFixture.pod().young().waiting("application", "InvalidImageName",
                        "couldn't parse image reference")), false, List.of("Write it as")),
                Arguments
                        .of("image of root", snapshot(PodFixture.pod().young().waiting("application",
                                "CreateContainerConfigError",
                                "container has runAsNonRoot and image will run as root")), false, List.of("USER 10001")),
                Arguments.of("crashed once", snapshot(PodFixture.pod().running("application", 1, "Error", 3)), true,
                        List.of("ended with exit code 3 and was restarted.")),
                Arguments.of("crash loop", snapshot(PodFixture.pod().crashed("application", 4, "Error", 1)), false,
                        List.of("ended with exit code 1 and was restarted 4 times.")),
                Arguments.of("an application that exits with 0",
                        snapshot(PodFixture.pod().crashed("application", 4, "Completed", 0)),
                        false, List.of("ended with exit code 0")),
                Arguments.of("out of memory", snapshot(PodFixture.pod().crashed("application", 1, "OOMKilled", 137)), true,
                        List.of("more memory than its limit of 1Gi", "memory_limit_mb")),
                Arguments.of("out of memory, often", snapshot(PodFixture.pod().crashed("application", 3, "OOMKilled", 137)),
                        false,
                        List.of("more memory than its limit of 1Gi")),
                Arguments.of("out of memory while installing",
                        snapshot(PodFixture.pod().crashed("install", 0, "OOMKilled", 137)), false,
                        List.of("Installing dependencies was killed because it used more memory")),
                Arguments.of("fetch failed", snapshot(PodFixture.pod().crashed("fetch", 1, "Error", 10)), true,
                        List.of("could not be fetched in the cluster")),
                Arguments.of("fetch failed often", snapshot(PodFixture.pod().crashed("fetch", 3, "Error", 10)), false,
                        List.of("could not be fetched in the cluster")),
                Arguments.of("a link out of the repository", snapshot(PodFixture.pod().crashed("fetch", 0, "Error", 3)), false,
                        List.of("could not be checked out (exit code 3)")),
                Arguments.of("install failed", snapshot(PodFixture.pod().terminated("install", "Error", 7)), false,
                        List.of("ended with exit code 7")),
                Arguments.of("no capacity", snapshot(PodFixture.pod().unschedulable(
                        "0/3 nodes are available: 3 Insufficient cpu.")), true,
                        List.of("No node of the cluster has capacity", "Insufficient cpu", "cpu 500m and memory 512Mi")),
                Arguments.of("quota", rejected("pods \"rev-1-x\" is forbidden: exceeded quota: team, requested: pods=1, used:"
                        + " pods=2, limited: pods=2"), true, List.of("quota", "limited: pods=2", "Request less")),
                Arguments.of("pod security",
                        rejected("pods \"rev-1-x\" is forbidden: violates PodSecurity \"restricted:latest\""),
                        false, List.of("pod security", "operator")),
                Arguments.of("limit range",
                        rejected("pods \"rev-1-x\" is forbidden: maximum memory usage per Container is 1Gi"),
                        true, List.of("rejects the application's pod: pods", "maximum memory usage")),
                Arguments.of("evicted",
                        snapshot(PodFixture.pod().evicted("Usage of EmptyDir volume \"files\" exceeds the limit \"4Gi\". ")),
                        true, List.of("evicted the application's pod", "exceeds the limit")),
                Arguments.of("probe",
                        snapshot(List.of(PodFixture.event("Unhealthy", "Readiness probe failed: HTTP probe failed with"
                                + " statuscode: 503")), PodFixture.pod().running("application")),
                        true,
                        List.of("does not pass its health check", "statuscode: 503")),
                Arguments.of("probe that killed it",
                        snapshot(List.of(PodFixture.event("Unhealthy", "Startup probe failed: connection"
                                + " refused")), PodFixture.pod().running("application", 3, "Error", 143)),
                        false,
                        List.of("exit code 143", "Startup probe failed: connection refused")),
                Arguments.of("volume", snapshot(List.of(PodFixture.event("FailedMount", "secret \"rev-1-git\" not found")),
                        PodFixture.pod().waiting("fetch", "PodInitializing", "")), true,
                        List.of("secret \"rev-1-git\" not found")));
    }

    @Test
    void problemNamesTheLogOfTheFailedRun() {
        assertThat(problem(snapshot(PodFixture.pod().crashed("application", 4, "Error", 1))).log())
                .isEqualTo(new ContainerLog("pod", "application", true));
        assertThat(problem(snapshot(PodFixture.pod().terminated("install", "Error", 1))).log())
                .isEqualTo(new ContainerLog("pod", "install", false));
    }

    @Test
    void permanentProblemTakesPrecedence() {
        // Given
        Pod waits = PodFixture.pod().unschedulable("0/1 nodes are available").build("one");
        Pod failed = PodFixture.pod().terminated("install", "Error", 7).build("two");

        // When
        PodProblem problem = problem(new RevisionSnapshot(PodFixture.deployment(0), List.of(waits, failed), List.of(), NOW));

        // Then
        assertThat(problem.reason()).contains("exit code 7");
    }

    @Test
    void readyRequiresTheLatestGeneration() {
        Deployment behind = PodFixture.deployment(1);
        behind.getMetadata().setGeneration(2L);
        assertThat(Diagnosis.of(snapshotOf(behind)).ready()).isFalse();
        assertThat(Diagnosis.of(snapshotOf(PodFixture.deployment(1))).ready()).isTrue();
        assertThat(Diagnosis.of(snapshotOf(PodFixture.deployment(0))).ready()).isFalse();
        assertThat(Diagnosis.of(snapshotOf(null)).ready()).isFalse();
    }

    @Test
    void oneReadyPodIsServing() {
        Pod ready = PodFixture.pod().running("application").ready().build("one");
        Pod crashed = PodFixture.pod().crashed("application", 9, "Error", 1).build("two");

        Health health = Diagnosis.of(new RevisionSnapshot(PodFixture.deployment(0), List.of(ready, crashed), List.of(), NOW));

        assertThat(health.serving()).isTrue();
        assertThat(health.ready()).isFalse();
        assertThat(health.problem()).isNotNull();
    }

    @Test
    void builtWhenInitContainersCompleted() {
        assertThat(Diagnosis.of(snapshot(PodFixture.pod().running("fetch"))).built()).isFalse();
        assertThat(Diagnosis.of(snapshot(PodFixture.pod().terminated("install", "Error", 1))).built()).isFalse();
        assertThat(Diagnosis.of(snapshot(PodFixture.pod().running("application"))).built()).isTrue();
        assertThat(Diagnosis.of(snapshot(PodFixture.pod().withoutPreparation().waiting("application", "ContainerCreating", "")))
                .built()).isFalse();
        assertThat(Diagnosis.of(snapshot(PodFixture.pod().withoutPreparation().running("application"))).built()).isTrue();
    }

    @Test
    void reportsTheCurrentActivity() {
        assertThat(Diagnosis.of(snapshotOf(null)).message()).isEqualTo("Waiting for a node of the cluster.");
        assertThat(Diagnosis.of(snapshot(PodFixture.pod().running("fetch"))).message()).isEqualTo("Fetching the repository.");
        assertThat(Diagnosis.of(snapshot(PodFixture.pod().running("install"))).message()).contains("Installing");
        assertThat(Diagnosis.of(snapshot(PodFixture.pod().running("application"))).message())
                .isEqualTo("Starting the application.");
    }

    @Test
    void reportedFailureIsPermanent() {
        // Given: the end of a truncated termination message
        Pod failed = PodFixture.pod().crashed("application", 1, "Error", 78).build("one");
        failed.getStatus().getContainerStatuses().getLast().getLastState().getTerminated().setMessage("""
                put of the worker
                {"graph": "agent", "cause": "Graph agent is not there.", "advice": "Export it."}
                """);

        PodProblem problem = problem(new RevisionSnapshot(PodFixture.deployment(0), List.of(failed), List.of(), NOW));

        assertThat(problem).isEqualTo(PodProblem.permanentProblem("Graph agent is not there. Export it."));
    }

    @Test
    void terminatingPodsAreIgnored() {
        Pod going = PodFixture.pod().crashed("application", 9, "Error", 1).build("one");
        going.getMetadata().setDeletionTimestamp("2026-11-22T05:59:00Z");

        assertThat(Diagnosis.of(new RevisionSnapshot(PodFixture.deployment(0), List.of(going), List.of(), NOW)).problem())
                .isNull();
    }

    private static PodProblem problem(RevisionSnapshot snapshot) {
        PodProblem problem = Diagnosis.of(snapshot).problem();
        assertThat(problem).isNotNull();
        return problem;
    }

    private static RevisionSnapshot snapshotOf(Deployment deployment) {
        return new RevisionSnapshot(deployment, List.of(), List.of(), NOW);
    }

    private static RevisionSnapshot rejected(String message) {
        return snapshotOf(PodFixture.rejected(message));
    }

    private static RevisionSnapshot snapshot(PodFixture pod) {
        return snapshot(List.of(), pod);
    }

    private static RevisionSnapshot snapshot(List<Event> events, PodFixture pod) {
        return new RevisionSnapshot(PodFixture.deployment(0), List.of(pod.build("pod")), events, NOW);
    }
}
