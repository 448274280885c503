package dev.waybill.controlplane.engine.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.engine.Engine.ApplicationChanged;
import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Image;
import dev.waybill.controlplane.engine.RevisionSpec.ResourceSpec;
import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;
import dev.waybill.controlplane.engine.kubernetes.manifest.RevisionSpecFixtures;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.mockwebserver.http.MockResponse;

/** Rollouts in a cluster that a mock server and the test simulate. */
class KubernetesEngineTest {

    @TempDir
    private Path folder;

    private KubernetesEngineFixture fixture;

    @BeforeEach
    void begin() throws IOException {
        fixture = new KubernetesEngineFixture(folder, Map.of());
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    @Test
    void preparesStartsAndRoutesToARevision() throws IOException {
        // Given
        RevisionSpec plan = fixture.plan(1);
        String revision = ObjectNames.revision(plan.revisionId());

        // When, then: all objects exist, but no pod
        assertThat(fixture.prepare(plan)).isInstanceOfSatisfying(Outcome.InProgress.class,
                progress -> assertThat(progress.message()).isEqualTo("Waiting for a node of the cluster."));
        assertThat(fixture.objects()).containsExactlyInAnyOrder("Secret " + revision, "Secret " + revision + "-git",
                "ConfigMap " + revision, "Deployment " + revision);
        assertThat(image(revision)).isEqualTo("registry.example.com/waybill/node:1");

        // When, then: it is built, and its log is copied once
        fixture.cluster.setLog("fetch", "2026-11-22T06:00:01.000000001Z Fetching.\n");
        fixture.cluster.pod(revision, PodFixture.pod().running("fetch").status());
        assertThat(fixture.prepare(plan)).isInstanceOfSatisfying(Outcome.InProgress.class,
                progress -> assertThat(progress.message()).isEqualTo("Fetching the repository."));
        fixture.cluster.setLog("install", "2026-11-22T06:00:02.000000001Z + npm ci\n2026-11-22T06:00:02.000000002Z added 3\n");
        fixture.cluster.pod(revision, PodFixture.pod().running("application").status());
        assertThat(fixture.prepare(plan)).isEqualTo(new Outcome.Done());
        assertThat(fixture.log).containsOnlyOnce("Fetching.", "+ npm ci", "added 3", "Fetching the repository.");

        // When, then: it starts, and requests are routed to it when it is ready, not earlier
        assertThat(fixture.start(plan)).isInstanceOf(Outcome.InProgress.class);
        assertThat(fixture.service()).isNull();
        fixture.cluster.ready(revision, 1);
        assertThat(fixture.start(plan)).isEqualTo(new Outcome.Done());
        assertThat(fixture.routedRevision()).isEqualTo(plan.revisionId());
        assertThat(fixture.observe(plan)).isEqualTo(new Observation.Serving());
    }

    @Test
    void routesToTheNewRevisionOnlyWhenItIsReady() throws IOException {
        // Given
        RevisionSpec first = fixture.deployed(1);
        RevisionSpec second = fixture.plan(2);

        // When
        fixture.prepare(second);
        fixture.cluster.pod(ObjectNames.revision(second.revisionId()), PodFixture.pod().running("application").status());
        fixture.prepare(second);
        fixture.start(second);

        // Then
        assertThat(fixture.routedRevision()).isEqualTo(first.revisionId());
        fixture.cluster.ready(ObjectNames.revision(second.revisionId()), 1);
        assertThat(fixture.start(second)).isEqualTo(new Outcome.Done());
        assertThat(fixture.routedRevision()).isEqualTo(second.revisionId());
        assertThat(fixture.stop(second.revisionId())).isEqualTo(new Outcome.Done());
        assertThat(fixture.objects()).filteredOn(name -> !name.startsWith("Pod"))
                .noneMatch(name -> name.contains(first.revisionId().toString()))
                .anyMatch(name -> name.equals("Deployment " + ObjectNames.revision(second.revisionId())));
    }

    @Test
    void failedInstallReportsLastLinesAndActiveOneServes() throws IOException {
        // Given
        RevisionSpec first = fixture.deployed(1);
        RevisionSpec second = fixture.plan(2);
        String revision = ObjectNames.revision(second.revisionId());
        fixture.prepare(second);
        fixture.cluster.setLog("install", "npm ERR! 404 'chat@9' is not in this registry.\nnpm ERR! with key-of-the-customer");
        fixture.cluster.pod(revision, PodFixture.pod().terminated("install", "Error", 7).status());

        // When
        Outcome outcome = fixture.prepare(second);

        // Then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.retryable()).isFalse();
            assertThat(failed.reason()).contains("ended with exit code 7", "Its last lines:", "'chat@9' is not in")
                    .doesNotContain("key-of-the-customer");
        });
        assertThat(fixture.stop(first.revisionId())).isEqualTo(new Outcome.Done());
        assertThat(fixture.routedRevision()).isEqualTo(first.revisionId());
        assertThat(fixture.observe(first)).isEqualTo(new Observation.Serving());
        assertThat(fixture.objects()).contains("Deployment " + ObjectNames.revision(first.revisionId()))
                .doesNotContain("Deployment " + revision, "Secret " + revision);
    }

    @Test
    void stopIsDoneWhenAllObjectsAreRemoved() throws IOException {
        // Given
        RevisionSpec plan = fixture.deployed(1);

        // When, then
        assertThat(fixture.stop()).isInstanceOf(Outcome.InProgress.class);
        assertThat(fixture.service()).isNull();
        fixture.deletePods(plan);
        assertThat(fixture.stop()).isEqualTo(new Outcome.Done());
        assertThat(fixture.objects()).isEmpty();
        assertThat(fixture.stop()).as("again").isEqualTo(new Outcome.Done());
    }

    @Test
    void crashLoopReasonHasNoOutputOfTheApplication() throws IOException {
        // Given
        RevisionSpec plan = fixture.deployed(1);
        String revision = ObjectNames.revision(plan.revisionId());
        fixture.cluster.ready(revision, 0);
        fixture.cluster.setLog("application before", "Starting\nError: cannot connect with key-of-the-customer\n");
        fixture.cluster.pod(revision, PodFixture.pod().crashed("application", 5, "Error", 1).status());

        // When
        Observation observation = fixture.observe(plan);

        // Then
        assertThat(observation).isInstanceOfSatisfying(Observation.Failing.class,
                failing -> assertThat(failing.reason()).contains("exit code 1", "restarted 5 times")
                        .doesNotContain("Error: cannot connect with"));
        assertThat(fixture.routedRevision()).isEqualTo(plan.revisionId());
    }

    @Test
    void outputOfACrashedApplicationIsInTheLogOnce() throws IOException {
        // Given
        RevisionSpec plan = fixture.plan(1);
        fixture.prepare(plan);
        String revision = ObjectNames.revision(plan.revisionId());
        fixture.cluster.setLog("application before", "Starting\nError: cannot connect\n");
        fixture.cluster.pod(revision, PodFixture.pod().crashed("application", 1, "Error", 1).status());

        // When
        List<Outcome> outcomes = List.of(fixture.start(plan), fixture.start(plan));

        // Then
        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome).isInstanceOfSatisfying(Outcome.InProgress.class,
                waiting -> assertThat(waiting.message()).contains("exit code 1").doesNotContain("cannot connect")));
        assertThat(fixture.log).containsOnlyOnce("Starting", "Error: cannot connect");
    }

    @Test
    void observationRestoresDrift() throws IOException {
        // Given
        RevisionSpec plan = fixture.deployed(1);
        String revision = ObjectNames.revision(plan.revisionId());
        String namespace = FakeCluster.NAMESPACE;
        fixture.client().apps().deployments().inNamespace(namespace).withName(revision).edit(deployment -> {
            deployment.getSpec().getTemplate().getSpec().getContainers().getFirst().setImage("other/image:1");
            return deployment;
        });
        fixture.client().services().inNamespace(namespace).withName(ObjectNames.deployment(plan.deploymentId()))
                .edit(service -> {
                    service.getSpec().setSelector(Map.of(ObjectNames.REVISION, "other"));
                    return service;
                });
        fixture.client().secrets().inNamespace(namespace).withName(revision).delete();

        // When
        fixture.observe(plan);

        // Then
        assertThat(image(revision)).isEqualTo("registry.example.com/waybill/node:1");
        assertThat(fixture.routedRevision()).isEqualTo(plan.revisionId());
        assertThat(fixture.objects()).contains("Secret " + revision);
    }

    @Test
    void observationRecreatesMissingObjects() throws IOException {
        // Given
        RevisionSpec plan = fixture.deployed(1);
        fixture.stop();
        fixture.deletePods(plan);
        fixture.stop();

        // When
        Observation observation = fixture.observe(plan);

        // Then
        assertThat(observation).isEqualTo(new Observation.Failing("Waiting for a node of the cluster."));
        assertThat(image(ObjectNames.revision(plan.revisionId()))).isEqualTo("registry.example.com/waybill/node:1");
        assertThat(fixture.routedRevision()).isEqualTo(plan.revisionId());
    }

    @Test
    void olderRevisionNeverReplacesANewerOne() throws IOException {
        // Given
        RevisionSpec older = fixture.deployed(1);
        RevisionSpec newer = fixture.deployed(2);

        // When
        Outcome outcome = fixture.start(older);
        fixture.observe(older);

        // Then
        assertThat(outcome).isEqualTo(Outcome.Failed.permanent("A newer revision is already active."));
        assertThat(fixture.routedRevision()).isEqualTo(newer.revisionId());
    }

    @Test
    void routingConflictRechecksTheRevisionNumber() throws IOException {
        // Given
        RevisionSpec first = fixture.deployed(1);
        RevisionSpec second = fixture.plan(2);
        fixture.prepare(second);
        fixture.cluster.ready(ObjectNames.revision(second.revisionId()), 1);
        Service moved = fixture.service();
        moved.getMetadata().getAnnotations().put(ObjectNames.NUMBER, "3");
        AtomicInteger attempts = new AtomicInteger();
        fixture.cluster.intercept(request -> !request.getPath().contains("/services/") ? null
                : request.getMethod().equals("PATCH") ? conflict(attempts)
                        : attempts.get() == 0 ? null : FakeCluster.response(moved));

        // When
        Outcome outcome = fixture.start(second);

        // Then
        fixture.cluster.removeInterceptors();
        assertThat(outcome).isEqualTo(Outcome.Failed.permanent("A newer revision is already active."));
        assertThat(attempts).hasValue(1);
        assertThat(fixture.routedRevision()).isEqualTo(first.revisionId());
    }

    private static MockResponse conflict(AtomicInteger attempts) {
        attempts.incrementAndGet();
        return FakeCluster.error(409, "the object has been modified");
    }

    @Test
    void replacesAServiceOnlyAtTheVersionRead() throws IOException {
        // Given
        fixture.deployed(1);
        KubernetesApi cluster = new KubernetesApi(fixture.client());
        String before = fixture.service().getMetadata().getResourceVersion();
        fixture.deployed(2);
        Service wanted = new ServiceBuilder(fixture.service()).editSpec()
                .withSelector(Map.of(ObjectNames.REVISION, "other")).endSpec().build();

        // When, then
        assertThat(cluster.replace(wanted, before)).isFalse();
        assertThat(cluster.replace(wanted, fixture.service().getMetadata().getResourceVersion())).isTrue();
    }

    @Test
    void stopRoutesBackFromAnUnrecordedRevision() throws IOException {
        // Given
        RevisionSpec first = fixture.deployed(1);
        RevisionSpec second = fixture.deployed(2);

        // When
        Outcome outcome = fixture.stop(first.revisionId());

        // Then
        assertThat(outcome).isEqualTo(new Outcome.Done());
        assertThat(fixture.routedRevision()).isEqualTo(first.revisionId());
        assertThat(fixture.objects()).doesNotContain("Deployment " + ObjectNames.revision(second.revisionId()));
        assertThat(fixture.observe(first)).isEqualTo(new Observation.Serving());
    }

    @Test
    void newRevisionStartsWithTheActiveReplicaCount() {
        // Given
        ResourceSpec scaled = new ResourceSpec(2, 5, null, null, null, null);
        Image source = new Image("registry.example.com/acme/chat:1");
        RevisionSpec first = fixture.plan(1, source, scaled);
        RevisionSpec second = fixture.plan(2, source, scaled);
        fixture.prepare(first);
        int begin = pods(first);
        fixture.cluster.ready(ObjectNames.revision(first.revisionId()), 2);
        fixture.start(first);
        fixture.client().apps().deployments().inNamespace(FakeCluster.NAMESPACE)
                .withName(ObjectNames.revision(first.revisionId())).scale(4);

        // When
        fixture.prepare(second);

        // Then
        assertThat(begin).isEqualTo(2);
        assertThat(pods(second)).isEqualTo(4);
    }

    private int pods(RevisionSpec plan) {
        return fixture.client().apps().deployments().inNamespace(FakeCluster.NAMESPACE)
                .withName(ObjectNames.revision(plan.revisionId())).get().getSpec().getReplicas();
    }

    @Test
    void deploysAnImageWithoutRepository() {
        // Given
        RevisionSpec plan = fixture.plan(1, new Image("registry.example.com/acme/chat:1"));
        String revision = ObjectNames.revision(plan.revisionId());
        fixture.prepare(plan);

        // When
        fixture.cluster.pod(revision, PodFixture.pod().withoutPreparation()
                .waiting("application", "InvalidImageName", "couldn't parse image reference").status());
        Outcome wrong = fixture.prepare(plan);
        fixture.cluster.pod(revision, PodFixture.pod().withoutPreparation().running("application").status());
        Outcome right = fixture.prepare(plan);

        // Then
        assertThat(wrong).isInstanceOfSatisfying(Outcome.Failed.class,
                failed -> assertThat(failed.reason()).contains("cannot be pulled"));
        assertThat(right).isEqualTo(new Outcome.Done());
        assertThat(fixture.objects()).doesNotContain("Secret " + revision + "-git");
    }

    @Test
    void repositoryFaultsFailBeforeObjectsAreCreated() throws IOException {
        // Given
        fixture.repository.file("langgraph.json", "{\"graphs\": {\"agent\": \"./missing.mjs:graph\"}}");
        RevisionSpec missing = fixture.plan(1);
        fixture.repository.file("langgraph.json", "{\"graphs\": {\"agent\": {\"command\": [\"./agent\"]}}}").file("agent", "");
        RevisionSpec command = fixture.plan(2);
        fixture.repository.without("langgraph.json");
        RevisionSpec none = fixture.plan(3);

        // When
        Outcome missed = fixture.prepare(missing);
        Outcome commanded = fixture.prepare(command);
        Outcome unconfigured = fixture.prepare(none);

        // Then
        assertThat(missed).isInstanceOfSatisfying(Outcome.Failed.class,
                failed -> assertThat(failed.reason()).contains("langgraph.json", "missing.mjs"));
        assertThat(commanded).as("one image has everything").isInstanceOf(Outcome.InProgress.class);
        assertThat(image(ObjectNames.revision(command.revisionId()))).isEqualTo("registry.example.com/waybill/all:1");
        assertThat(unconfigured).isInstanceOfSatisfying(Outcome.Failed.class,
                failed -> assertThat(failed.reason()).contains("no configuration file \"langgraph.json\""));
        assertThat(fixture.objects()).noneMatch(name -> name.contains(missing.revisionId().toString())
                || name.contains(none.revisionId().toString()));
    }

    @Test
    void installFailureIsReportedWithoutUnreachableLogs() throws IOException {
        // Given
        RevisionSpec plan = fixture.plan(1);
        fixture.prepare(plan);
        fixture.cluster.pod(ObjectNames.revision(plan.revisionId()),
                PodFixture.pod().terminated("install", "Error", 7).status());

        // When
        fixture.cluster.intercept(request -> request.getPath().contains("/log?")
                ? FakeCluster.error(500, "Get \"https://10.0.0.7:10250/containerLogs\": dial tcp: i/o timeout")
                : null);
        Outcome outcome = fixture.prepare(plan);

        // Then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class,
                failed -> assertThat(failed.reason()).contains("ended with exit code 7").doesNotContain("last lines",
                        "10.0.0.7"));
    }

    @Test
    void staleStopRemovesNothing() throws IOException {
        // Given: the second revision starts and is deployed while a paused caller knows only the first
        RevisionSpec first = fixture.deployed(1);
        RevisionSpec second = fixture.plan(2);
        fixture.prepare(second);

        // When
        Outcome stopping = fixture.stopAsOf(1, first.revisionId());
        List<String> whileStopping = fixture.objects();
        fixture.deploy(second);
        Outcome deployed = fixture.stopAsOf(1);

        // Then
        assertThat(stopping).isEqualTo(new Outcome.Done());
        assertThat(whileStopping).contains("Deployment " + ObjectNames.revision(second.revisionId()));
        assertThat(deployed).isEqualTo(new Outcome.Done());
        assertThat(fixture.routedRevision()).isEqualTo(second.revisionId());
        assertThat(fixture.observe(second)).isEqualTo(new Observation.Serving());
    }

    @Test
    void staleStepCreatesNothing() throws IOException {
        // Given
        RevisionSpec first = fixture.deployed(1);
        RevisionSpec second = fixture.deployed(2);
        fixture.stop(second.revisionId());
        fixture.deletePods(first);

        // When
        Observation observation = fixture.observe(first);
        Outcome prepared = fixture.prepare(first);

        // Then
        assertThat(observation).isEqualTo(new Observation.Failing("A newer revision is already active."));
        assertThat(prepared).isEqualTo(Outcome.Failed.permanent("A newer revision is already active."));
        assertThat(fixture.objects()).noneMatch(name -> name.contains(first.revisionId().toString()));
    }

    @Test
    void routesBackToARevisionWithoutDeployment() throws IOException {
        // Given
        RevisionSpec first = fixture.deployed(1);
        fixture.deployed(2);
        fixture.client().apps().deployments().inNamespace(FakeCluster.NAMESPACE)
                .withName(ObjectNames.revision(first.revisionId())).delete();

        // When
        fixture.stop(first.revisionId());
        fixture.observe(first);

        // Then
        assertThat(fixture.routedRevision()).isEqualTo(first.revisionId());
        assertThat(ObjectNames.number(fixture.service())).isEqualTo(1);
        assertThat(fixture.objects()).contains("Deployment " + ObjectNames.revision(first.revisionId()));
    }

    @Test
    void concurrentlyChangedServiceIsNotDeleted() throws IOException {
        // Given
        fixture.deployed(1);
        KubernetesApi cluster = new KubernetesApi(fixture.client());
        String name = fixture.service().getMetadata().getName();
        String before = fixture.service().getMetadata().getResourceVersion();
        RevisionSpec second = fixture.deployed(2);
        List<String> requests = new CopyOnWriteArrayList<>();
        fixture.cluster.intercept(request -> {
            if (!request.getMethod().equals("DELETE")) {
                return null;
            }
            // The mock server does not check preconditions.
            requests.add(request.getUtf8Body());
            return FakeCluster.error(409, "the object has been modified");
        });

        // When
        cluster.deleteService(FakeCluster.NAMESPACE, name, before);

        // Then
        assertThat(requests).singleElement().asString().contains("\"resourceVersion\":\"" + before + "\"");
        assertThat(fixture.routedRevision()).isEqualTo(second.revisionId());
    }

    @Test
    void healthyObservationCostsTwoRequests() throws IOException {
        // Given
        RevisionSpec plan = fixture.deployed(1);
        fixture.observe(plan);
        List<String> requests = new CopyOnWriteArrayList<>();
        fixture.cluster.intercept(request -> {
            requests.add(request.getMethod() + request.getPath().replaceAll(".*/([a-z]+)/[^/]+$", " $1"));
            return null;
        });

        // When
        Observation observation = fixture.observe(plan);

        // Then
        assertThat(observation).isEqualTo(new Observation.Serving());
        assertThat(requests).containsExactly("GET deployments", "GET services");
    }

    @Test
    void scalesUpFromZero() {
        // Given
        RevisionSpec plan = fixture.plan(1, new Image("registry.example.com/acme/chat:1"),
                new ResourceSpec(2, 5, null, null, null, null));
        String revision = ObjectNames.revision(plan.revisionId());
        fixture.prepare(plan);
        fixture.cluster.ready(revision, 2);
        fixture.start(plan);
        fixture.observe(plan);
        fixture.client().apps().deployments().inNamespace(FakeCluster.NAMESPACE).withName(revision).scale(0);

        // When
        fixture.observe(plan);

        // Then
        assertThat(pods(plan)).isEqualTo(2);
    }

    @Test
    void truncatedLogLineIsNotStored() throws IOException {
        // Given
        RevisionSpec plan = fixture.plan(1);
        fixture.prepare(plan);
        String filler = "2026-11-22T06:00:01.000000001Z Fetching.\n";
        String cut = "2026-11-22T06:00:02.000000001Z " + "x".repeat(KubernetesApi.MAX_LOG_BYTES) + "key-of-the-cust";
        fixture.cluster.setLog("fetch", filler + cut);
        fixture.cluster.pod(ObjectNames.revision(plan.revisionId()), PodFixture.pod().running("fetch").status());

        // When
        fixture.prepare(plan);

        // Then
        assertThat(fixture.log).contains("Fetching.").noneMatch(line -> line.contains("xxx"));
    }

    @Test
    void firesChangesOfTheCluster() throws IOException {
        // Given
        RevisionSpec plan = fixture.deployed(1);
        ApplicationChanged expected = new ApplicationChanged(RevisionSpecFixtures.WORKSPACE, plan.deploymentId());
        Patience.await().until(() -> fixture.changes.contains(expected));
        int before = fixture.changes.size();

        // When
        fixture.deletePods(plan);

        // Then
        Patience.await().until(() -> fixture.changes.size() > before);
        assertThat(fixture.changes).containsOnly(expected);
    }

    @Test
    void restartsAnExpiredWatch() throws IOException {
        // Given
        AtomicInteger watches = new AtomicInteger();
        fixture.cluster.intercept(request -> request.getPath().contains("watch=true") && watches.incrementAndGet() <= 6
                ? FakeCluster.error(410, "too old resource version: 1 (2)")
                : null);

        // When
        RevisionSpec plan = fixture.deployed(1);
        Patience.await().until(() -> watches.get() > 6);
        fixture.deletePods(plan);

        // Then
        Patience.await().until(() -> fixture.changes
                .contains(new ApplicationChanged(RevisionSpecFixtures.WORKSPACE, plan.deploymentId())));
    }

    private String image(String revision) {
        return fixture.client().apps().deployments().inNamespace(FakeCluster.NAMESPACE).withName(revision).get()
                .getSpec().getTemplate().getSpec().getContainers().getFirst().getImage();
    }
}
