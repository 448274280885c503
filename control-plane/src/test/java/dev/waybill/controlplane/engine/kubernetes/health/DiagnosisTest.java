package dev.waybill.controlplane.engine.kubernetes.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.waybill.controlplane.engine.kubernetes.health.Sighting.Patience;
import dev.waybill.controlplane.engine.kubernetes.health.Trouble.Words;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;

/** What clusters say, and what becomes of it. The messages are those of real clusters. */
class DiagnosisTest {

    private static final Instant NOW = Instant.parse("2026-11-22T06:00:00Z");

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void troubleIsToldInWords(String name, Sighting seen, boolean mayPass, List<String> words) {
        Trouble trouble = Diagnosis.of(seen).trouble();

        assertThat(trouble).isNotNull();
        assertThat(trouble.reason()).contains(words);
        assertThat(trouble.mayPass()).isEqualTo(mayPass);
    }

    static Stream<Arguments> troubleIsToldInWords() {
        return Stream.of(
                Arguments.of("image not found, at first", seen(Seen.pod().young().waiting("application", "ErrImagePull",
                        "rpc error: code = NotFound desc = failed to pull and unpack image \"acme/chat:9\": not found")),
                        true, List.of("The image \"acme/chat:1\" cannot be pulled", "not found.", "Check its name")),
                Arguments.of("image not found, for long", seen(Seen.pod().old().waiting("fetch", "ImagePullBackOff",
                        "Back-off pulling image \"acme/chat:1\"")), false, List.of("cannot be pulled", "Back-off")),
                Arguments.of("image's name", seen(Seen.pod().young().waiting("application", "InvalidImageName",
                        "couldn't parse image reference")), false, List.of("Write it as")),
                Arguments.of("image of root", seen(Seen.pod().young().waiting("application", "CreateContainerConfigError",
                        "container has runAsNonRoot and image will run as root")), false, List.of("USER 10001")),
                Arguments.of("crashed once", seen(Seen.pod().running("application", 1, "Error", 3)), true,
                        List.of("ended with exit code 3, and was started again.")),
                Arguments.of("crash loop", seen(Seen.pod().crashed("application", 4, "Error", 1)), false,
                        List.of("ended with exit code 1, and was started again 4 times.")),
                Arguments.of("an application that leaves quietly", seen(Seen.pod().crashed("application", 4, "Completed", 0)),
                        false, List.of("ended with exit code 0")),
                Arguments.of("out of memory", seen(Seen.pod().crashed("application", 1, "OOMKilled", 137)), true,
                        List.of("more memory than its limit of 1Gi", "memory_limit_mb")),
                Arguments.of("out of memory, often", seen(Seen.pod().crashed("application", 3, "OOMKilled", 137)), false,
                        List.of("more memory than its limit of 1Gi")),
                Arguments.of("out of memory while installing", seen(Seen.pod().crashed("install", 0, "OOMKilled", 137)), false,
                        List.of("Installing what the application needs was ended because it used more memory")),
                Arguments.of("fetch failed", seen(Seen.pod().crashed("fetch", 1, "Error", 10)), true,
                        List.of("could not be fetched in the cluster")),
                Arguments.of("fetch failed often", seen(Seen.pod().crashed("fetch", 3, "Error", 10)), false,
                        List.of("could not be fetched in the cluster")),
                Arguments.of("a link that leads out", seen(Seen.pod().crashed("fetch", 0, "Error", 3)), false,
                        List.of("could not be laid out (exit code 3)")),
                Arguments.of("install failed", seen(Seen.pod().terminated("install", "Error", 7)), false,
                        List.of("ended with exit code 7")),
                Arguments.of("no room", seen(Seen.pod().unschedulable(
                        "0/3 nodes are available: 3 Insufficient cpu.")), true,
                        List.of("No node of the cluster has room", "Insufficient cpu", "cpu 500m and memory 512Mi")),
                Arguments.of("quota", refused("pods \"rev-1-x\" is forbidden: exceeded quota: team, requested: pods=1, used:"
                        + " pods=2, limited: pods=2"), true, List.of("quota", "limited: pods=2", "Ask for less")),
                Arguments.of("pod security",
                        refused("pods \"rev-1-x\" is forbidden: violates PodSecurity \"restricted:latest\""),
                        false, List.of("pod security", "operator")),
                Arguments.of("limit range", refused("pods \"rev-1-x\" is forbidden: maximum memory usage per Container is 1Gi"),
                        true, List.of("does not let the application's pod in: pods", "maximum memory usage")),
                Arguments.of("put out",
                        seen(Seen.pod().evicted("Usage of EmptyDir volume \"files\" exceeds the limit \"4Gi\". ")),
                        true, List.of("put the application's pod out", "exceeds the limit")),
                Arguments.of("probe", seen(List.of(Seen.event("Unhealthy", "Readiness probe failed: HTTP probe failed with"
                        + " statuscode: 503")), Seen.pod().running("application")), true,
                        List.of("does not answer its health check", "statuscode: 503")),
                Arguments.of("probe that ended it", seen(List.of(Seen.event("Unhealthy", "Startup probe failed: connection"
                        + " refused")), Seen.pod().running("application", 3, "Error", 143)), false,
                        List.of("exit code 143", "Startup probe failed: connection refused")),
                Arguments.of("volume", seen(List.of(Seen.event("FailedMount", "secret \"rev-1-git\" not found")),
                        Seen.pod().waiting("fetch", "PodInitializing", "")), true, List.of("secret \"rev-1-git\" not found")));
    }

    @Test
    void lastWordsAreThoseOfTheRunThatEnded() {
        assertThat(trouble(seen(Seen.pod().crashed("application", 4, "Error", 1))).words())
                .isEqualTo(new Words("pod", "application", true));
        assertThat(trouble(seen(Seen.pod().terminated("install", "Error", 1))).words())
                .isEqualTo(new Words("pod", "install", false));
    }

    @Test
    void whatWillNotPassIsToldBeforeWhatMay() {
        // Given
        Pod waits = Seen.pod().unschedulable("0/1 nodes are available").build("one");
        Pod failed = Seen.pod().terminated("install", "Error", 7).build("two");

        // When
        Trouble trouble = trouble(new Sighting(Seen.deployment(0), List.of(waits, failed), List.of(), NOW, patience()));

        // Then
        assertThat(trouble.reason()).contains("exit code 7");
    }

    @Test
    void readyIsWhatTheClusterHasSeenOfTheLatestChange() {
        Deployment behind = Seen.deployment(1);
        behind.getMetadata().setGeneration(2L);
        assertThat(Diagnosis.of(sighting(behind)).ready()).isFalse();
        assertThat(Diagnosis.of(sighting(Seen.deployment(1))).ready()).isTrue();
        assertThat(Diagnosis.of(sighting(Seen.deployment(0))).ready()).isFalse();
        assertThat(Diagnosis.of(sighting(null)).ready()).isFalse();
    }

    @Test
    void oneReadyPodServesWhileOthersDoNot() {
        Pod ready = Seen.pod().running("application").ready().build("one");
        Pod crashed = Seen.pod().crashed("application", 9, "Error", 1).build("two");

        Health health = Diagnosis.of(new Sighting(Seen.deployment(0), List.of(ready, crashed), List.of(), NOW, patience()));

        assertThat(health.serving()).isTrue();
        assertThat(health.ready()).isFalse();
        assertThat(health.trouble()).isNotNull();
    }

    @Test
    void builtIsWhenThePreparationEnded() {
        assertThat(Diagnosis.of(seen(Seen.pod().running("fetch"))).built()).isFalse();
        assertThat(Diagnosis.of(seen(Seen.pod().terminated("install", "Error", 1))).built()).isFalse();
        assertThat(Diagnosis.of(seen(Seen.pod().running("application"))).built()).isTrue();
        assertThat(Diagnosis.of(seen(Seen.pod().withoutPreparation().waiting("application", "ContainerCreating", "")))
                .built()).isFalse();
        assertThat(Diagnosis.of(seen(Seen.pod().withoutPreparation().running("application"))).built()).isTrue();
    }

    @Test
    void whatIsDoneIsTold() {
        assertThat(Diagnosis.of(sighting(null)).words()).isEqualTo("Waiting for a place in the cluster.");
        assertThat(Diagnosis.of(seen(Seen.pod().running("fetch"))).words()).isEqualTo("Fetching the repository.");
        assertThat(Diagnosis.of(seen(Seen.pod().running("install"))).words()).contains("Installing");
        assertThat(Diagnosis.of(seen(Seen.pod().running("application"))).words()).isEqualTo("Starting the application.");
    }

    @Test
    void aReportedFailureIsTheReasonAndLasting() {
        // Given: the end of a termination message that was too long
        Pod failed = Seen.pod().crashed("application", 1, "Error", 78).build("one");
        failed.getStatus().getContainerStatuses().getLast().getLastState().getTerminated().setMessage("""
                put of the worker
                {"graph": "agent", "cause": "Graph agent is not there.", "advice": "Export it."}
                """);

        Trouble trouble = trouble(new Sighting(Seen.deployment(0), List.of(failed), List.of(), NOW, patience()));

        assertThat(trouble).isEqualTo(Trouble.lasting("Graph agent is not there. Export it."));
    }

    @Test
    void podsThatAreGoingSayNothing() {
        Pod going = Seen.pod().crashed("application", 9, "Error", 1).build("one");
        going.getMetadata().setDeletionTimestamp("2026-11-22T05:59:00Z");

        assertThat(Diagnosis.of(new Sighting(Seen.deployment(0), List.of(going), List.of(), NOW, patience())).trouble())
                .isNull();
    }

    private static Trouble trouble(Sighting seen) {
        Trouble trouble = Diagnosis.of(seen).trouble();
        assertThat(trouble).isNotNull();
        return trouble;
    }

    private static Sighting sighting(Deployment deployment) {
        return new Sighting(deployment, List.of(), List.of(), NOW, patience());
    }

    private static Sighting refused(String message) {
        return sighting(Seen.refused(message));
    }

    private static Sighting seen(Seen pod) {
        return seen(List.of(), pod);
    }

    private static Sighting seen(List<Event> events, Seen pod) {
        return new Sighting(Seen.deployment(0), List.of(pod.build("pod")), events, NOW, patience());
    }

    private static Patience patience() {
        return new Patience(Duration.ofMinutes(1), 3);
    }
}
