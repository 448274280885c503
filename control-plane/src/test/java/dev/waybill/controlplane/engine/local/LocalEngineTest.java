package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.controlplane.engine.Observation;
import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.engine.Outcome.Done;
import dev.waybill.controlplane.engine.Outcome.Failed;
import dev.waybill.controlplane.engine.Outcome.InProgress;
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.engine.ResourceSpec;
import dev.waybill.local.storage.FreePort;

/** Faults F26 and F27 and the switch from one revision to the next, with real processes. */
class LocalEngineTest {

    @TempDir
    private Path directory;
    private EngineGround ground;
    private LocalEngine engine;
    private int port;
    private final UUID deployment = UUID.randomUUID();

    @BeforeEach
    void start() throws IOException {
        ground = new EngineGround(directory);
        engine = ground.engine();
        port = FreePort.find();
    }

    @AfterEach
    void stop() {
        ground.close();
    }

    @Test
    void theNextRevisionTakesOverWithoutAFailedRequest() throws Exception {
        // Given: a probe that never stops asking, over connections that it keeps
        Plan first = deployed(1, "first");
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        List<String> failures = new CopyOnWriteArrayList<>();
        List<Thread> probes = List.of(probe(over, answered, failures), probe(over, answered, failures),
                probe(over, answered, failures));

        // When
        Plan last = first;
        for (int number = 2; number <= 4; number++) {
            last = deployed(number, "number " + number);
            ground.stop(engine, deployment, last.revisionId());
            int seen = answered.get();
            await().atMost(EngineGround.PATIENCE).until(() -> answered.get() > seen + 20 || !failures.isEmpty());
        }
        over.set(true);
        for (Thread probe : probes) {
            probe.join();
        }

        // Then
        assertThat(failures).isEmpty();
        assertThat(ground.get(port, "/version").body()).isEqualTo("number 4");
        assertThat(ground.processes(first)).isEmpty();
        assertThat(ground.folder(first)).doesNotExist();
        assertThat(ground.processes(last)).hasSize(1);
    }

    @Test
    void aRequestUnderWayIsFinishedByTheRevisionThatBeganIt() throws Exception {
        // Given
        Plan first = deployed(1, "first");
        CompletableFuture<HttpResponse<String>> held = ground.client.sendAsync(request("/hold").build(),
                BodyHandlers.ofString());
        GateKeeper gate = new GateKeeper(ground.settings.directory().toAbsolutePath(), ground.settings,
                new Launch(ground.settings, System.getenv()));
        int old = new Application(ground.folder(first), ground.settings, new Launch(ground.settings, Map.of()),
                new Ports(new Places(ground.settings.directory())), ground.client)
                .port().orElseThrow();
        await().atMost(EngineGround.PATIENCE).until(() -> gate.busy(old) == 1);

        // When
        Plan second = deployed(2, "second");
        Thread stopping = Thread.ofPlatform().start(() -> ground.stop(engine, deployment, second.revisionId()));
        String meanwhile = ground.get(port, "/version").body();
        String direct = ground.get(old, "/version").body();
        ground.get(old, "/release");

        // Then
        assertThat(meanwhile).isEqualTo("second");
        assertThat(direct).isEqualTo("first");
        assertThat(held.join().body()).isEqualTo("first");
        stopping.join();
        assertThat(ground.processes(first)).isEmpty();
    }

    @Test
    void theApplicationSeesItsSecretsAndNothingOfTheControlPlane() throws Exception {
        // Given
        deployed(1, "well");

        // When
        List<String> environment = ground.get(port, "/environment").body().lines().toList();

        // Then
        assertThat(environment).contains("SECRET=hush-hush", "WAYBILL_RUNTIME_ACCESS_WORKSPACE_ID=" + EngineGround.TENANT,
                "WAYBILL_RUNTIME_ACCESS_CONTROL_PLANE_URL=http://127.0.0.1:1");
        assertThat(environment).extracting(line -> line.split("=")[0])
                .isSubsetOf("SECRET", "HOME", "PATH", "TMPDIR", MarkedProcesses.MARK, "QUARKUS_HTTP_HOST", "QUARKUS_HTTP_PORT",
                        "QUARKUS_MANAGEMENT_PORT",
                        "WAYBILL_RUNTIME_DIRECTORY", "WAYBILL_RUNTIME_CONFIGURATION", "WAYBILL_RUNTIME_ACCESS_WORKSPACE_ID",
                        "WAYBILL_RUNTIME_ACCESS_CONTROL_PLANE_URL", "WAYBILL_RUNTIME_TRACING_PROJECT",
                        "WAYBILL_RUNTIME_WORKER_FAILURE_FILE", "PWD", "SHLVL", "_");
    }

    @Test
    void whatAnApplicationMayUseHoldsForEachProcessAndTheRestIsTold() throws Exception {
        // Given
        Plan plan = EngineGround.with(ground.plan(deployment, 1, port, ground.repository.commit()),
                new ResourceSpec(2, 5, 1.5, null, null, 900));
        assertThat(ground.prepare(engine, plan)).isInstanceOf(Done.class);

        // When
        Outcome outcome = ground.start(engine, plan);

        // Then
        assertThat(outcome).isInstanceOf(Done.class);
        if (!new Launch(ground.settings, System.getenv()).canLimit()) {
            assertThat(ground.log)
                    .contains("DEPLOY SYSTEM Applications are single processes of one machine here, so these have no"
                            + " effect: min_scale, max_scale, cpu, memory_limit_mb.");
            return;
        }
        String limits = ground.get(port, "/limits").body();
        assertThat(limits).containsPattern("Max data size +" + (900L << 20) + " ");
        assertThat(limits).containsPattern("Max core file size +0 ");
        assertThat(ground.log).contains("DEPLOY SYSTEM Here memory_limit_mb holds for each process of the application, not for"
                + " all of them together. Applications are single processes of one machine here, so these have no effect:"
                + " min_scale, max_scale, cpu.");
    }

    @Test
    void bodiesPassThroughUnchanged() throws Exception {
        // Given
        deployed(1, "well");
        byte[] body = new byte[3_000_000];
        new java.util.Random(7).nextBytes(body);

        // When
        HttpResponse<byte[]> sized = ground.client.send(request("/echo").POST(BodyPublishers.ofByteArray(body)).build(),
                BodyHandlers.ofByteArray());
        HttpResponse<byte[]> chunked = ground.client.send(request("/echo")
                .POST(BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(body))).build(),
                BodyHandlers.ofByteArray());

        // Then
        assertThat(sized.body()).isEqualTo(body);
        assertThat(chunked.body()).isEqualTo(body);
    }

    @Test
    void aRevisionThatEndsAtItsStartLeavesTheOneBeforeServing() throws Exception {
        // Given
        deployed(1, "first");

        // When
        Plan second = prepared(2, "crash-at-start");
        Outcome outcome = ground.start(engine, second);

        // Then
        assertThat(((Failed) outcome).reason()).isEqualTo("The application ended before it was healthy. Fix it and deploy"
                + " again; the log has its last output.");
        assertThat(ground.log).contains("DEPLOY STDOUT cannot go on");
        assertThat(ground.get(port, "/version").body()).isEqualTo("first");
    }

    @Test
    void aRevisionThatIsNeverHealthyLeavesTheOneBeforeServing() throws Exception {
        // Given
        deployed(1, "first");
        ground.settings.healthTimeout = Duration.ofSeconds(2);

        // When
        Plan second = prepared(2, "never-healthy");
        Outcome outcome = ground.start(engine, second);

        // Then
        assertThat(((Failed) outcome).reason()).contains("was not healthy within 2 s");
        assertThat(ground.get(port, "/version").body()).isEqualTo("first");
        assertThat(ground.processes(second)).isEmpty();
    }

    @Test
    void noStepWaitsForHealth() throws Exception {
        // Given
        Plan stuck = prepared(1, "never-healthy");

        // When
        Outcome begun = ground.startOnce(engine, stuck);
        Outcome later = ground.startOnce(engine, stuck);

        // Then
        assertThat(begun).isInstanceOf(InProgress.class).isEqualTo(later);
        assertThat(ground.processes(stuck)).hasSize(1);
    }

    @Test
    void anOvertakenStartIsEndedByTheNext() throws Exception {
        // Given
        Plan stuck = prepared(1, "never-healthy");
        ground.startOnce(engine, stuck);

        // When
        deployed(2, "second");

        // Then
        assertThat(ground.processes(stuck)).isEmpty();
        assertThat(ground.get(port, "/version").body()).isEqualTo("second");
    }

    @Test
    void aWorkspaceStartsABoundedNumberAtOnce() throws Exception {
        // Given
        ground.settings.maxStarting = 1;
        engine = ground.engine();
        Plan stuck = prepared(1, "never-healthy");
        ground.startOnce(engine, stuck);
        Plan other = ground.plan(UUID.randomUUID(), 1, FreePort.find(), ground.repository.file("behaviour", "well").commit());
        assertThat(ground.prepare(engine, other)).isInstanceOf(Done.class);

        // When
        Outcome crowded = ground.startOnce(engine, other);
        ground.stop(engine, deployment);

        // Then
        assertThat(crowded).isInstanceOfSatisfying(InProgress.class,
                waits -> assertThat(waits.message()).contains("fewer applications of the workspace"));
        assertThat(ground.processes(other)).isEmpty();
        assertThat(ground.start(engine, other)).isInstanceOf(Done.class);
    }

    @Test
    void aReportedFailureEndsTheStartAtOnce() throws Exception {
        // Given
        Plan plan = prepared(1, "reports-failure");

        // When
        Outcome outcome = ground.start(engine, plan);

        // Then
        assertThat(outcome).isEqualTo(Failed.forGood("Graph \"agent\" is not there. Export it."));
        assertThat(ground.log).contains("DEPLOY STDOUT output of the worker");
        assertThat(ground.processes(plan)).isEmpty();
    }

    @Test
    void commandsGiveWayToApplicationsWhichHaveThePriorityOfTheControlPlane() throws Exception {
        // Given
        long own = niceness(ProcessHandle.current().pid());
        Plan plan = ground.plan(deployment, 1, port, ground.repository.commit(), "langgraph.json", "nice > niceness", Map.of());

        // When
        assertThat(ground.prepare(engine, plan)).isInstanceOf(Done.class);
        assertThat(ground.start(engine, plan)).isInstanceOf(Done.class);

        // Then
        assertThat(ground.build(plan).resolve("repository/niceness")).content()
                .isEqualToIgnoringNewLines(Long.toString(Math.min(19, own + 5)));
        assertThat(niceness(Long.parseLong(ground.get(port, "/pid").body()))).isEqualTo(own);
    }

    private static long niceness(long pid) throws IOException {
        String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        return Long.parseLong(line.substring(line.lastIndexOf(')') + 2).split(" ")[16]);
    }

    @Test
    void aKilledGateIsStartedAgainWithItsRoutes() throws Exception {
        // Given
        deployed(1, "well");

        // When
        MarkedProcesses.of(ground.settings.directory().resolve("gate")).forEach(ProcessHandle::destroyForcibly);

        // Then: nobody has to ask for it
        await().atMost(EngineGround.PATIENCE).until(() -> !refused());
        assertThat(ground.get(port, "/version").body()).isEqualTo("well");
    }

    @Test
    void trafficNeverGoesBackToAnOlderRevision() throws Exception {
        // Given
        Plan first = deployed(1, "first");
        deployed(2, "second");

        // When
        Outcome late = ground.start(engine, first);

        // Then
        assertThat(late).isEqualTo(Failed.forGood("A newer revision serves already."));
        assertThat(ground.get(port, "/version").body()).isEqualTo("second");
    }

    @Test
    void whatWasNeverWrittenDownAsDeployedGivesTheRequestsBack() throws Exception {
        // Given: requests go to the second, but it was interrupted before anybody wrote that down
        Plan first = deployed(1, "first");
        deployed(2, "second");

        // When
        ground.stop(engine, deployment, first.revisionId());

        // Then
        assertThat(ground.get(port, "/version").body()).isEqualTo("first");
        assertThat(ground.observe(engine, first)).isInstanceOf(Observation.Serving.class);
    }

    @Test
    void whoIsLateStopsNothing() throws Exception {
        // Given: somebody stood still who knows of the first revision alone
        Plan first = deployed(1, "first");
        Plan second = deployed(2, "second");

        // When
        ground.stopKnowing(1, engine, deployment, first.revisionId());
        ground.stopKnowing(1, engine, deployment);

        // Then
        assertThat(ground.get(port, "/version").body()).isEqualTo("second");
        assertThat(ground.observe(engine, second)).isInstanceOf(Observation.Serving.class);
    }

    @Test
    void withoutARuntimeItSaysWhatToSet() throws IOException {
        // Given
        LocalEngine none = ground.engineWithoutRuntime();
        Plan plan = ground.plan(deployment, 1, port, ground.repository.commit());

        // When
        Outcome prepared = ground.prepare(none, plan);
        Outcome started = ground.start(none, plan);
        Observation observed = ground.observe(none, plan);

        // Then: nothing is there to stop
        assertThat(((Failed) prepared).reason()).contains("waybill.engine.local.runtime");
        assertThat(started).isEqualTo(prepared);
        assertThat(((Observation.Failing) observed).reason()).contains("waybill.engine.local.runtime");
        ground.stop(none, deployment);
    }

    @Test
    void afterDeletingNothingIsLeft() throws Exception {
        // Given: one that does not end when it is asked to
        ground.settings.grace = Duration.ofMillis(300);
        Plan plan = deployed(1, "ignore-term");

        // When
        ground.stop(engine, deployment);
        ground.stop(engine, deployment);

        // Then
        assertThat(ground.processes(plan)).isEmpty();
        assertThat(ground.settings.directory().resolve(deployment.toString())).doesNotExist();
        assertThat(refused()).isTrue();
    }

    private boolean refused() throws IOException, InterruptedException {
        try {
            ground.get(port, "/version");
            return false;
        } catch (ConnectException _) {
            return true;
        }
    }

    private Thread probe(AtomicBoolean over, AtomicInteger answered, List<String> failures) {
        return Thread.ofVirtual().start(() -> {
            while (!over.get() && failures.isEmpty()) {
                try {
                    // POST, because clients repeat a failed GET by themselves.
                    HttpResponse<String> response = ground.client.send(
                            request("/version").POST(BodyPublishers.ofString("hello")).build(), BodyHandlers.ofString());
                    if (response.statusCode() != 200) {
                        failures.add(response.statusCode() + " " + response.body());
                    }
                    answered.incrementAndGet();
                } catch (IOException | InterruptedException e) {
                    failures.add(e.toString());
                }
            }
        });
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(EngineGround.PATIENCE);
    }

    private Plan prepared(int number, String behaviour) throws IOException {
        Plan plan = ground.plan(deployment, number, port, ground.repository.file("behaviour", behaviour).commit());
        assertThat(ground.prepare(engine, plan)).isInstanceOf(Done.class);
        return plan;
    }

    private Plan deployed(int number, String behaviour) throws IOException {
        Plan plan = prepared(number, behaviour);
        assertThat(ground.start(engine, plan)).isInstanceOf(Done.class);
        return plan;
    }
}
