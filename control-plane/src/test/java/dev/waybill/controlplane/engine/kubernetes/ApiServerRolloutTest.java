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
import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.Engine;
import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Image;
import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;
import dev.waybill.controlplane.engine.kubernetes.manifest.RevisionSpecFixtures;
import io.fabric8.kubernetes.api.model.Endpoints;

/**
 * Rollouts against the real API server of {@code KUBECONFIG}, with its controllers and scheduler and a {@link FakeKubelet}.
 * Skipped without one.
 */
@EnabledIfEnvironmentVariable(named = "KUBECONFIG", matches = ".+")
class ApiServerRolloutTest {

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final ApiServerFixture fixture = new ApiServerFixture(change -> {
    });

    @AfterEach
    void tearDown() {
        fixture.close();
    }

    static Stream<Arguments> problems() {
        return Stream.of(
                Arguments.of("image pull", false, (Supplier<PodFixture>) () -> PodFixture.pod().withoutPreparation()
                        .waiting("application", "InvalidImageName", "couldn't parse image reference"),
                        "The image \"acme/chat:1\" cannot be pulled: couldn't parse image reference."),
                Arguments.of("crash loop", true, (Supplier<PodFixture>) () -> PodFixture.pod().withoutPreparation()
                        .crashed("application", 3, "Error", 7),
                        "The application ended with exit code 7 and was restarted 3 times"),
                Arguments.of("memory", true, (Supplier<PodFixture>) () -> PodFixture.pod().withoutPreparation()
                        .crashed("application", 3, "OOMKilled", 137),
                        "was killed because it used more memory than its limit of"));
    }

    @Test
    void reportsAnUnschedulableRevision() {
        RevisionSpec plan = plan(1);

        // The message of the real scheduler.
        Patience.await().untilAsserted(() -> assertThat(prepare(plan)).isInstanceOfSatisfying(Outcome.InProgress.class,
                progress -> assertThat(progress.message())
                        .startsWith("No node of the cluster has capacity for the application: ")
                        .contains("nodes", "memory 512Ti")));
    }

    @Test
    void replacedRevisionIsRemovedCompletely() {
        // Given: the first serves
        RevisionSpec first = fixture.plan(1, new Image("registry.example.com/acme/chat:1"), ApiServerFixture.pods(2, 4));
        deploy(first);
        Patience.await().until(() -> addresses() == 2);
        awaitServing(first);

        // When: the second follows
        RevisionSpec second = plan(2);
        Patience.await().until(() -> prepare(second) instanceof Outcome.InProgress);
        assertThat(routedRevision()).isEqualTo(first.revisionId());
        deploy(second);

        // Then
        assertThat(routedRevision()).isEqualTo(second.revisionId());
        awaitStopped(Set.of(second.revisionId()));
        Patience.await().untilAsserted(() -> assertThat(fixture.objects(fixture.deployment))
                .noneMatch(name -> name.contains(first.revisionId().toString()))
                .contains("Deployment " + ObjectNames.revision(second.revisionId())));
        awaitServing(second);
        awaitStopped(Set.of());
        assertThat(fixture.objects(fixture.deployment)).isEmpty();
        assertThat(log).contains("The application is healthy and serves.");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("problems")
    void failingRevisionReportsReasonAndActiveOneServes(String name, boolean built, Supplier<PodFixture> state, String reason) {
        // Given
        RevisionSpec first = plan(1);
        deploy(first);
        RevisionSpec second = plan(2);
        fixture.kubelet().setStatus(second.revisionId(), state);

        // When
        Patience.await().until(() -> built ? start(second) instanceof Outcome.Failed
                : prepare(second) instanceof Outcome.Failed);

        // Then
        assertThat(built ? start(second) : prepare(second)).isInstanceOfSatisfying(Outcome.Failed.class,
                failed -> assertThat(failed.reason()).contains(reason));
        awaitStopped(Set.of(first.revisionId()));
        assertThat(routedRevision()).isEqualTo(first.revisionId());
        awaitServing(first);
    }

    @Test
    void crashedApplicationIsReportedAndRecovers() {
        // Given
        RevisionSpec plan = plan(1);
        deploy(plan);
        awaitServing(plan);

        // When
        fixture.kubelet().setStatus(plan.revisionId(),
                () -> PodFixture.pod().withoutPreparation().crashed("application", 1, "Error", 3));

        // Then
        Patience.await().untilAsserted(() -> assertThat(observe(plan)).isInstanceOfSatisfying(Observation.Failing.class,
                failing -> assertThat(failing.reason()).contains("ended with exit code 3")));
        fixture.kubelet().run(plan.revisionId(), false);
        awaitServing(plan);
    }

    /** Runs the steps as the reconciler does. */
    private void deploy(RevisionSpec plan) {
        fixture.kubelet().run(plan.revisionId(), false);
        Patience.await().until(() -> prepare(plan) instanceof Outcome.Done);
        Patience.await().until(() -> start(plan) instanceof Outcome.Done);
    }

    private Outcome prepare(RevisionSpec plan) {
        return KubernetesEngineFixture.await(fixture.engine().prepare(plan, buildLog()));
    }

    private Outcome start(RevisionSpec plan) {
        return KubernetesEngineFixture.await(fixture.engine().start(plan, buildLog()));
    }

    private Observation observe(RevisionSpec plan) {
        return KubernetesEngineFixture.await(fixture.engine().observe(plan));
    }

    private void awaitServing(RevisionSpec plan) {
        Patience.await().untilAsserted(() -> assertThat(observe(plan)).isEqualTo(new Observation.Serving()));
    }

    private void awaitStopped(Set<UUID> keep) {
        Patience.await().until(() -> KubernetesEngineFixture.await(
                fixture.engine().stop(RevisionSpecFixtures.WORKSPACE, fixture.deployment, keep,
                        Engine.MAX_REVISION_NUMBER)) instanceof Outcome.Done);
    }

    private BuildLog buildLog() {
        return (phase, stream, text) -> log.add(text);
    }

    private UUID routedRevision() {
        return fixture.routedRevision(fixture.deployment);
    }

    /** Returns the number of endpoints of the deployment's Service. */
    private int addresses() {
        Endpoints endpoints = fixture.admin.endpoints().inNamespace(fixture.namespace)
                .withName(ObjectNames.deployment(fixture.deployment)).get();
        return endpoints == null ? 0 : endpoints.getSubsets().stream().mapToInt(subset -> subset.getAddresses().size()).sum();
    }

    private RevisionSpec plan(long number) {
        return fixture.plan(number, new Image("registry.example.com/acme/chat:" + number), ApiServerFixture.pods(1, 1));
    }
}
