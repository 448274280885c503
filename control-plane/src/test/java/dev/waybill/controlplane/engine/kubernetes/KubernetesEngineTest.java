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
import dev.waybill.controlplane.engine.ApplicationChanged;
import dev.waybill.controlplane.engine.ApplicationSource.Image;
import dev.waybill.controlplane.engine.Observation;
import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.engine.ResourceSpec;
import dev.waybill.controlplane.engine.kubernetes.health.Seen;
import dev.waybill.controlplane.engine.kubernetes.manifest.Fixtures;
import dev.waybill.controlplane.engine.kubernetes.manifest.Names;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.mockwebserver.http.MockResponse;

/** Revisions from beginning to end in a cluster that is played by a mock server and the test. */
class KubernetesEngineTest {

    @TempDir
    private Path folder;

    private ClusterGround ground;

    @BeforeEach
    void begin() throws IOException {
        ground = new ClusterGround(folder, Map.of());
    }

    @AfterEach
    void end() {
        ground.close();
    }

    @Test
    void aRevisionIsPreparedStartedAndThenLedTo() throws IOException {
        // Given
        Plan plan = ground.plan(1);
        String revision = Names.revision(plan.revisionId());

        // When, then: everything is there, no pod is yet
        assertThat(ground.prepare(plan)).isInstanceOfSatisfying(Outcome.InProgress.class,
                progress -> assertThat(progress.message()).isEqualTo("Waiting for a place in the cluster."));
        assertThat(ground.objects()).containsExactlyInAnyOrder("Secret " + revision, "Secret " + revision + "-git",
                "ConfigMap " + revision, "Deployment " + revision);
        assertThat(image(revision)).isEqualTo("registry.example.com/waybill/node:1");

        // When, then: it is built, and its log told once
        ground.cluster.says("fetch", "2026-11-22T06:00:01.000000001Z Fetching.\n");
        ground.cluster.pod(revision, Seen.pod().running("fetch").status());
        assertThat(ground.prepare(plan)).isInstanceOfSatisfying(Outcome.InProgress.class,
                progress -> assertThat(progress.message()).isEqualTo("Fetching the repository."));
        ground.cluster.says("install", "2026-11-22T06:00:02.000000001Z + npm ci\n2026-11-22T06:00:02.000000002Z added 3\n");
        ground.cluster.pod(revision, Seen.pod().running("application").status());
        assertThat(ground.prepare(plan)).isEqualTo(new Outcome.Done());
        assertThat(ground.log).containsOnlyOnce("Fetching.", "+ npm ci", "added 3", "Fetching the repository.");

        // When, then: it is started, and requests go there when it is ready and not before
        assertThat(ground.start(plan)).isInstanceOf(Outcome.InProgress.class);
        assertThat(ground.service()).isNull();
        ground.cluster.ready(revision, 1);
        assertThat(ground.start(plan)).isEqualTo(new Outcome.Done());
        assertThat(ground.leadsTo()).isEqualTo(plan.revisionId());
        assertThat(ground.observe(plan)).isEqualTo(new Observation.Serving());
    }

    @Test
    void requestsStayWithTheOldRevisionUntilTheNewOneIsReady() throws IOException {
        // Given
        Plan first = ground.deployed(1);
        Plan second = ground.plan(2);

        // When
        ground.prepare(second);
        ground.cluster.pod(Names.revision(second.revisionId()), Seen.pod().running("application").status());
        ground.prepare(second);
        ground.start(second);

        // Then
        assertThat(ground.leadsTo()).isEqualTo(first.revisionId());
        ground.cluster.ready(Names.revision(second.revisionId()), 1);
        assertThat(ground.start(second)).isEqualTo(new Outcome.Done());
        assertThat(ground.leadsTo()).isEqualTo(second.revisionId());
        assertThat(ground.stop(second.revisionId())).isEqualTo(new Outcome.Done());
        assertThat(ground.objects()).filteredOn(name -> !name.startsWith("Pod"))
                .noneMatch(name -> name.contains(first.revisionId().toString()))
                .anyMatch(name -> name.equals("Deployment " + Names.revision(second.revisionId())));
    }

    @Test
    void aFailedInstallationIsToldWithItsLastLinesAndTakesNothingDown() throws IOException {
        // Given
        Plan first = ground.deployed(1);
        Plan second = ground.plan(2);
        String revision = Names.revision(second.revisionId());
        ground.prepare(second);
        ground.cluster.says("install", "npm ERR! 404 'chat@9' is not in this registry.\nnpm ERR! with key-of-the-customer");
        ground.cluster.pod(revision, Seen.pod().terminated("install", "Error", 7).status());

        // When
        Outcome outcome = ground.prepare(second);

        // Then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.mayPass()).isFalse();
            assertThat(failed.reason()).contains("ended with exit code 7", "Its last lines:", "'chat@9' is not in")
                    .doesNotContain("key-of-the-customer");
        });
        assertThat(ground.stop(first.revisionId())).isEqualTo(new Outcome.Done());
        assertThat(ground.leadsTo()).isEqualTo(first.revisionId());
        assertThat(ground.observe(first)).isEqualTo(new Observation.Serving());
        assertThat(ground.objects()).contains("Deployment " + Names.revision(first.revisionId()))
                .doesNotContain("Deployment " + revision, "Secret " + revision);
    }

    @Test
    void deletingIsDoneWhenNothingIsLeft() throws IOException {
        // Given
        Plan plan = ground.deployed(1);

        // When, then
        assertThat(ground.stop()).isInstanceOf(Outcome.InProgress.class);
        assertThat(ground.service()).isNull();
        ground.endPods(plan);
        assertThat(ground.stop()).isEqualTo(new Outcome.Done());
        assertThat(ground.objects()).isEmpty();
        assertThat(ground.stop()).as("again").isEqualTo(new Outcome.Done());
    }

    @Test
    void aCrashLoopIsToldWithTheLastLinesOfTheRunBefore() throws IOException {
        // Given
        Plan plan = ground.deployed(1);
        String revision = Names.revision(plan.revisionId());
        ground.cluster.ready(revision, 0);
        ground.cluster.says("application before", "Starting\nError: cannot connect with key-of-the-customer\n");
        ground.cluster.pod(revision, Seen.pod().crashed("application", 5, "Error", 1).status());

        // When
        Observation observation = ground.observe(plan);

        // Then
        assertThat(observation).isInstanceOfSatisfying(Observation.Failing.class,
                failing -> assertThat(failing.reason()).contains("exit code 1", "started again 5 times",
                        "Error: cannot connect with").doesNotContain("key-of-the-customer"));
        assertThat(ground.leadsTo()).isEqualTo(plan.revisionId());
    }

    @Test
    void driftIsPutBack() throws IOException {
        // Given
        Plan plan = ground.deployed(1);
        String revision = Names.revision(plan.revisionId());
        String namespace = FakeCluster.NAMESPACE;
        ground.client().apps().deployments().inNamespace(namespace).withName(revision).edit(deployment -> {
            deployment.getSpec().getTemplate().getSpec().getContainers().getFirst().setImage("somebody/elses:1");
            return deployment;
        });
        ground.client().services().inNamespace(namespace).withName(Names.deployment(plan.deploymentId())).edit(service -> {
            service.getSpec().setSelector(Map.of(Names.REVISION, "nobody"));
            return service;
        });
        ground.client().secrets().inNamespace(namespace).withName(revision).delete();

        // When
        ground.observe(plan);

        // Then
        assertThat(image(revision)).isEqualTo("registry.example.com/waybill/node:1");
        assertThat(ground.leadsTo()).isEqualTo(plan.revisionId());
        assertThat(ground.objects()).contains("Secret " + revision);
    }

    @Test
    void whatIsGoneAltogetherIsMadeAnewFromTheRepository() throws IOException {
        // Given
        Plan plan = ground.deployed(1);
        ground.stop();
        ground.endPods(plan);
        ground.stop();

        // When
        Observation observation = ground.observe(plan);

        // Then
        assertThat(observation).isEqualTo(new Observation.Failing("Waiting for a place in the cluster."));
        assertThat(image(Names.revision(plan.revisionId()))).isEqualTo("registry.example.com/waybill/node:1");
        assertThat(ground.leadsTo()).isEqualTo(plan.revisionId());
    }

    @Test
    void aNewerRevisionsRequestsAreNeverTakenByAnOlderOne() throws IOException {
        // Given
        Plan older = ground.deployed(1);
        Plan newer = ground.deployed(2);

        // When
        Outcome outcome = ground.start(older);
        ground.observe(older);

        // Then
        assertThat(outcome).isEqualTo(Outcome.Failed.forGood("A newer revision serves already."));
        assertThat(ground.leadsTo()).isEqualTo(newer.revisionId());
    }

    @Test
    void whoIsOvertakenBetweenLookingAndMovingLooksAgain() throws IOException {
        // Given
        Plan first = ground.deployed(1);
        Plan second = ground.plan(2);
        ground.prepare(second);
        ground.cluster.ready(Names.revision(second.revisionId()), 1);
        Service moved = ground.service();
        moved.getMetadata().getAnnotations().put(Names.NUMBER, "3");
        AtomicInteger moves = new AtomicInteger();
        ground.cluster.hook(request -> !request.getPath().contains("/services/") ? null
                : request.getMethod().equals("PATCH") ? conflict(moves)
                        : moves.get() == 0 ? null : FakeCluster.answer(moved));

        // When
        Outcome outcome = ground.start(second);

        // Then
        ground.cluster.unhook();
        assertThat(outcome).isEqualTo(Outcome.Failed.forGood("A newer revision serves already."));
        assertThat(moves).hasValue(1);
        assertThat(ground.leadsTo()).isEqualTo(first.revisionId());
    }

    private static MockResponse conflict(AtomicInteger moves) {
        moves.incrementAndGet();
        return FakeCluster.refusal(409, "the object has been modified");
    }

    @Test
    void aServiceIsMovedOnlyFromTheVersionThatWasRead() throws IOException {
        // Given
        ground.deployed(1);
        Cluster cluster = new Cluster(ground.client());
        String before = ground.service().getMetadata().getResourceVersion();
        ground.deployed(2);
        Service wanted = new ServiceBuilder(ground.service()).editSpec()
                .withSelector(Map.of(Names.REVISION, "nobody")).endSpec().build();

        // When, then
        assertThat(cluster.replace(wanted, before)).isFalse();
        assertThat(cluster.replace(wanted, ground.service().getMetadata().getResourceVersion())).isTrue();
    }

    @Test
    void requestsGoBackFromWhatNobodyWroteDownAsDeployed() throws IOException {
        // Given
        Plan first = ground.deployed(1);
        Plan second = ground.deployed(2);

        // When
        Outcome outcome = ground.stop(first.revisionId());

        // Then
        assertThat(outcome).isEqualTo(new Outcome.Done());
        assertThat(ground.leadsTo()).isEqualTo(first.revisionId());
        assertThat(ground.objects()).doesNotContain("Deployment " + Names.revision(second.revisionId()));
        assertThat(ground.observe(first)).isEqualTo(new Observation.Serving());
    }

    @Test
    void aRevisionThatScalesBeginsWithAsManyPodsAsServe() {
        // Given
        ResourceSpec scaled = new ResourceSpec(2, 5, null, null, null, null);
        Image source = new Image("registry.example.com/acme/chat:1");
        Plan first = ground.plan(1, source, scaled);
        Plan second = ground.plan(2, source, scaled);
        ground.prepare(first);
        int begin = pods(first);
        ground.cluster.ready(Names.revision(first.revisionId()), 2);
        ground.start(first);
        ground.client().apps().deployments().inNamespace(FakeCluster.NAMESPACE)
                .withName(Names.revision(first.revisionId())).scale(4);

        // When
        ground.prepare(second);

        // Then
        assertThat(begin).isEqualTo(2);
        assertThat(pods(second)).isEqualTo(4);
    }

    private int pods(Plan plan) {
        return ground.client().apps().deployments().inNamespace(FakeCluster.NAMESPACE)
                .withName(Names.revision(plan.revisionId())).get().getSpec().getReplicas();
    }

    @Test
    void anImageNeedsNoRepository() {
        // Given
        Plan plan = ground.plan(1, new Image("registry.example.com/acme/chat:1"));
        String revision = Names.revision(plan.revisionId());
        ground.prepare(plan);

        // When
        ground.cluster.pod(revision, Seen.pod().withoutPreparation()
                .waiting("application", "InvalidImageName", "couldn't parse image reference").status());
        Outcome wrong = ground.prepare(plan);
        ground.cluster.pod(revision, Seen.pod().withoutPreparation().running("application").status());
        Outcome right = ground.prepare(plan);

        // Then
        assertThat(wrong).isInstanceOfSatisfying(Outcome.Failed.class,
                failed -> assertThat(failed.reason()).contains("cannot be pulled"));
        assertThat(right).isEqualTo(new Outcome.Done());
        assertThat(ground.objects()).doesNotContain("Secret " + revision + "-git");
    }

    @Test
    void whatIsWrongWithARepositoryIsToldBeforeTheClusterHearsOfIt() throws IOException {
        // Given
        ground.repository.file("langgraph.json", "{\"graphs\": {\"agent\": \"./missing.mjs:graph\"}}");
        Plan missing = ground.plan(1);
        ground.repository.file("langgraph.json", "{\"graphs\": {\"agent\": {\"command\": [\"./agent\"]}}}").file("agent", "");
        Plan command = ground.plan(2);
        ground.repository.without("langgraph.json");
        Plan none = ground.plan(3);

        // When
        Outcome missed = ground.prepare(missing);
        Outcome commanded = ground.prepare(command);
        Outcome unconfigured = ground.prepare(none);

        // Then
        assertThat(missed).isInstanceOfSatisfying(Outcome.Failed.class,
                failed -> assertThat(failed.reason()).contains("langgraph.json", "missing.mjs"));
        assertThat(commanded).as("one image has everything").isInstanceOf(Outcome.InProgress.class);
        assertThat(image(Names.revision(command.revisionId()))).isEqualTo("registry.example.com/waybill/all:1");
        assertThat(unconfigured).isInstanceOfSatisfying(Outcome.Failed.class,
                failed -> assertThat(failed.reason()).contains("no configuration file \"langgraph.json\""));
        assertThat(ground.objects()).noneMatch(name -> name.contains(missing.revisionId().toString())
                || name.contains(none.revisionId().toString()));
    }

    @Test
    void aMachineThatDoesNotTellItsLogsDoesNotHideWhyAnInstallationFailed() throws IOException {
        // Given
        Plan plan = ground.plan(1);
        ground.prepare(plan);
        ground.cluster.pod(Names.revision(plan.revisionId()), Seen.pod().terminated("install", "Error", 7).status());

        // When
        ground.cluster.hook(request -> request.getPath().contains("/log?")
                ? FakeCluster.refusal(500, "Get \"https://10.0.0.7:10250/containerLogs\": dial tcp: i/o timeout")
                : null);
        Outcome outcome = ground.prepare(plan);

        // Then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class,
                failed -> assertThat(failed.reason()).contains("ended with exit code 7").doesNotContain("last lines",
                        "10.0.0.7"));
    }

    @Test
    void whoIsLateStopsNothing() throws IOException {
        // Given: the second was begun, and is deployed, while somebody stood still who knows of the first alone
        Plan first = ground.deployed(1);
        Plan second = ground.plan(2);
        ground.prepare(second);

        // When
        Outcome begun = ground.stopKnowing(1, first.revisionId());
        List<String> whileBegun = ground.objects();
        ground.deploy(second);
        Outcome deployed = ground.stopKnowing(1);

        // Then
        assertThat(begun).isEqualTo(new Outcome.Done());
        assertThat(whileBegun).contains("Deployment " + Names.revision(second.revisionId()));
        assertThat(deployed).isEqualTo(new Outcome.Done());
        assertThat(ground.leadsTo()).isEqualTo(second.revisionId());
        assertThat(ground.observe(second)).isEqualTo(new Observation.Serving());
    }

    @Test
    void whoIsLateMakesNothingAnew() throws IOException {
        // Given
        Plan first = ground.deployed(1);
        Plan second = ground.deployed(2);
        ground.stop(second.revisionId());
        ground.endPods(first);

        // When
        Observation observation = ground.observe(first);
        Outcome prepared = ground.prepare(first);

        // Then
        assertThat(observation).isEqualTo(new Observation.Failing("A newer revision serves already."));
        assertThat(prepared).isEqualTo(Outcome.Failed.forGood("A newer revision serves already."));
        assertThat(ground.objects()).noneMatch(name -> name.contains(first.revisionId().toString()));
    }

    @Test
    void requestsGoBackAlsoToWhatIsGone() throws IOException {
        // Given
        Plan first = ground.deployed(1);
        ground.deployed(2);
        ground.client().apps().deployments().inNamespace(FakeCluster.NAMESPACE)
                .withName(Names.revision(first.revisionId())).delete();

        // When
        ground.stop(first.revisionId());
        ground.observe(first);

        // Then
        assertThat(ground.leadsTo()).isEqualTo(first.revisionId());
        assertThat(Names.number(ground.service())).isEqualTo(1);
        assertThat(ground.objects()).contains("Deployment " + Names.revision(first.revisionId()));
    }

    @Test
    void aServiceThatWasMovedMeanwhileIsNotDeleted() throws IOException {
        // Given
        ground.deployed(1);
        Cluster cluster = new Cluster(ground.client());
        String name = ground.service().getMetadata().getName();
        String before = ground.service().getMetadata().getResourceVersion();
        Plan second = ground.deployed(2);
        List<String> asked = new CopyOnWriteArrayList<>();
        ground.cluster.hook(request -> {
            if (!request.getMethod().equals("DELETE")) {
                return null;
            }
            // The mock server knows of no preconditions.
            asked.add(request.getUtf8Body());
            return FakeCluster.refusal(409, "the object has been modified");
        });

        // When
        cluster.deleteService(FakeCluster.NAMESPACE, name, before);

        // Then
        assertThat(asked).singleElement().asString().contains("\"resourceVersion\":\"" + before + "\"");
        assertThat(ground.leadsTo()).isEqualTo(second.revisionId());
    }

    @Test
    void aHealthyApplicationCostsTwoQuestions() throws IOException {
        // Given
        Plan plan = ground.deployed(1);
        ground.observe(plan);
        List<String> asked = new CopyOnWriteArrayList<>();
        ground.cluster.hook(request -> {
            asked.add(request.getMethod() + request.getPath().replaceAll(".*/([a-z]+)/[^/]+$", " $1"));
            return null;
        });

        // When
        Observation observation = ground.observe(plan);

        // Then
        assertThat(observation).isEqualTo(new Observation.Serving());
        assertThat(asked).containsExactly("GET deployments", "GET services");
    }

    @Test
    void whatWasScaledToNothingComesBack() {
        // Given
        Plan plan = ground.plan(1, new Image("registry.example.com/acme/chat:1"),
                new ResourceSpec(2, 5, null, null, null, null));
        String revision = Names.revision(plan.revisionId());
        ground.prepare(plan);
        ground.cluster.ready(revision, 2);
        ground.start(plan);
        ground.observe(plan);
        ground.client().apps().deployments().inNamespace(FakeCluster.NAMESPACE).withName(revision).scale(0);

        // When
        ground.observe(plan);

        // Then
        assertThat(pods(plan)).isEqualTo(2);
    }

    @Test
    void theBeginningOfALineIsNotToldWithoutItsEnd() throws IOException {
        // Given
        Plan plan = ground.plan(1);
        ground.prepare(plan);
        String filler = "2026-11-22T06:00:01.000000001Z Fetching.\n";
        String cut = "2026-11-22T06:00:02.000000001Z " + "x".repeat(Cluster.MOST_BYTES) + "key-of-the-cust";
        ground.cluster.says("fetch", filler + cut);
        ground.cluster.pod(Names.revision(plan.revisionId()), Seen.pod().running("fetch").status());

        // When
        ground.prepare(plan);

        // Then
        assertThat(ground.log).contains("Fetching.").noneMatch(line -> line.contains("xxx"));
    }

    @Test
    void changesInTheClusterAreTold() throws IOException {
        // Given
        Plan plan = ground.deployed(1);
        ApplicationChanged told = new ApplicationChanged(Fixtures.WORKSPACE, plan.deploymentId());
        Patience.await().until(() -> ground.changes.contains(told));
        int before = ground.changes.size();

        // When
        ground.endPods(plan);

        // Then
        Patience.await().until(() -> ground.changes.size() > before);
        assertThat(ground.changes).containsOnly(told);
    }

    @Test
    void aWatchWhoseVersionHasExpiredBeginsAnew() throws IOException {
        // Given
        AtomicInteger watches = new AtomicInteger();
        ground.cluster.hook(request -> request.getPath().contains("watch=true") && watches.incrementAndGet() <= 6
                ? FakeCluster.refusal(410, "too old resource version: 1 (2)")
                : null);

        // When
        Plan plan = ground.deployed(1);
        Patience.await().until(() -> watches.get() > 6);
        ground.endPods(plan);

        // Then
        Patience.await().until(() -> ground.changes
                .contains(new ApplicationChanged(Fixtures.WORKSPACE, plan.deploymentId())));
    }

    private String image(String revision) {
        return ground.client().apps().deployments().inNamespace(FakeCluster.NAMESPACE).withName(revision).get()
                .getSpec().getTemplate().getSpec().getContainers().getFirst().getImage();
    }
}
