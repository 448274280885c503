package dev.waybill.controlplane.engine.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.engine.ApplicationSource.Image;
import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.Engine;
import dev.waybill.controlplane.engine.Observation;
import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.engine.kubernetes.health.Seen;
import dev.waybill.controlplane.engine.kubernetes.manifest.Fixtures;
import dev.waybill.controlplane.engine.kubernetes.manifest.Names;
import io.fabric8.kubernetes.api.model.Endpoints;

/**
 * Revisions from beginning to end before a real API server with its controllers and its scheduler, where {@code KUBECONFIG}
 * names
 * one; a {@link Kubelet} is played. Skipped elsewhere.
 */
@EnabledIfEnvironmentVariable(named = "KUBECONFIG", matches = ".+")
class ApiServerRolloutTest {

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final RealCluster ground = new RealCluster(change -> {
    });

    @AfterEach
    void leaveNothing() {
        ground.close();
    }

    static Stream<Arguments> troubles() {
        return Stream.of(
                Arguments.of("image pull", false, (Supplier<Seen>) () -> Seen.pod().withoutPreparation()
                        .waiting("application", "InvalidImageName", "couldn't parse image reference"),
                        "The image \"acme/chat:1\" cannot be pulled: couldn't parse image reference."),
                Arguments.of("crash loop", true, (Supplier<Seen>) () -> Seen.pod().withoutPreparation()
                        .crashed("application", 3, "Error", 7),
                        "The application ended with exit code 7, and was started again 3 times"),
                Arguments.of("memory", true, (Supplier<Seen>) () -> Seen.pod().withoutPreparation()
                        .crashed("application", 3, "OOMKilled", 137),
                        "was ended because it used more memory than its limit of"));
    }

    @Test
    void aRevisionThatNoNodeHasRoomForIsToldSo() {
        Plan plan = plan(1);

        // The real scheduler's word.
        Patience.await().untilAsserted(() -> assertThat(prepare(plan)).isInstanceOfSatisfying(Outcome.InProgress.class,
                progress -> assertThat(progress.message()).startsWith("No node of the cluster has room for the application: ")
                        .contains("nodes", "memory 512Ti")));
    }

    @Test
    void revisionsFollowEachOtherAndNothingIsLeft() {
        // Given: the first serves
        Plan first = ground.plan(1, new Image("registry.example.com/acme/chat:1"), RealCluster.pods(2, 4));
        deploy(first);
        Patience.await().until(() -> addresses() == 2);
        awaitServing(first);

        // When: the second follows
        Plan second = plan(2);
        Patience.await().until(() -> prepare(second) instanceof Outcome.InProgress);
        assertThat(leadsTo()).isEqualTo(first.revisionId());
        deploy(second);

        // Then
        assertThat(leadsTo()).isEqualTo(second.revisionId());
        awaitStopped(Set.of(second.revisionId()));
        Patience.await().untilAsserted(() -> assertThat(ground.objects(ground.deployment))
                .noneMatch(name -> name.contains(first.revisionId().toString()))
                .contains("Deployment " + Names.revision(second.revisionId())));
        awaitServing(second);
        awaitStopped(Set.of());
        assertThat(ground.objects(ground.deployment)).isEmpty();
        assertThat(log).contains("The application is healthy and serves.");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("troubles")
    void whatKeepsARevisionIsToldAndWhatServedGoesOn(String name, boolean begun, Supplier<Seen> state, String reason) {
        // Given
        Plan first = plan(1);
        deploy(first);
        Plan second = plan(2);
        ground.kubelet().shows(second.revisionId(), state);

        // When
        Patience.await().until(() -> begun ? start(second) instanceof Outcome.Failed
                : prepare(second) instanceof Outcome.Failed);

        // Then
        assertThat(begun ? start(second) : prepare(second)).isInstanceOfSatisfying(Outcome.Failed.class,
                failed -> assertThat(failed.reason()).contains(reason));
        awaitStopped(Set.of(first.revisionId()));
        assertThat(leadsTo()).isEqualTo(first.revisionId());
        awaitServing(first);
    }

    @Test
    void anApplicationThatCrashesIsSeenAndComesBack() {
        // Given
        Plan plan = plan(1);
        deploy(plan);
        awaitServing(plan);

        // When
        ground.kubelet().shows(plan.revisionId(),
                () -> Seen.pod().withoutPreparation().crashed("application", 1, "Error", 3));

        // Then
        Patience.await().untilAsserted(() -> assertThat(observe(plan)).isInstanceOfSatisfying(Observation.Failing.class,
                failing -> assertThat(failing.reason()).contains("ended with exit code 3")));
        ground.kubelet().runs(plan.revisionId(), false);
        awaitServing(plan);
    }

    /** As a reconciler would. */
    private void deploy(Plan plan) {
        ground.kubelet().runs(plan.revisionId(), false);
        Patience.await().until(() -> prepare(plan) instanceof Outcome.Done);
        Patience.await().until(() -> start(plan) instanceof Outcome.Done);
    }

    private Outcome prepare(Plan plan) {
        return ClusterGround.await(ground.engine().prepare(plan, said()));
    }

    private Outcome start(Plan plan) {
        return ClusterGround.await(ground.engine().start(plan, said()));
    }

    private Observation observe(Plan plan) {
        return ClusterGround.await(ground.engine().observe(plan));
    }

    private void awaitServing(Plan plan) {
        Patience.await().untilAsserted(() -> assertThat(observe(plan)).isEqualTo(new Observation.Serving()));
    }

    private void awaitStopped(Set<UUID> keep) {
        Patience.await().until(() -> ClusterGround.await(
                ground.engine().stop(Fixtures.WORKSPACE, ground.deployment, keep, Engine.EVERY)) instanceof Outcome.Done);
    }

    private BuildLog said() {
        return (phase, stream, text) -> log.add(text);
    }

    private UUID leadsTo() {
        return ground.leadsTo(ground.deployment);
    }

    /** How many addresses the real cluster sends the deployment's requests to. */
    private int addresses() {
        Endpoints endpoints = ground.admin.endpoints().inNamespace(ground.namespace)
                .withName(Names.deployment(ground.deployment)).get();
        return endpoints == null ? 0 : endpoints.getSubsets().stream().mapToInt(subset -> subset.getAddresses().size()).sum();
    }

    private Plan plan(long number) {
        return ground.plan(number, new Image("registry.example.com/acme/chat:" + number), RealCluster.pods(1, 1));
    }
}
