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

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.Engine.Outcome.Done;
import dev.waybill.controlplane.engine.Engine.Outcome.Failed;
import dev.waybill.controlplane.engine.Engine.Outcome.InProgress;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ResourceSpec;
import dev.waybill.local.storage.FreePort;

/** Faults F26 and F27 and the switch between revisions, with real processes. */
class LocalEngineTest extends LocalEngineScenario {

    @Test
    void replacesARevisionWithoutFailedRequests() throws Exception {
        // Given: probes that send requests continuously over persistent connections
        RevisionSpec first = deployed(1, "first");
        RevisionSpec last = first;
        try (RequestProbe probe = RequestProbe.start(fixture.client, port)) {
            // When
            for (int number = 2; number <= 4; number++) {
                last = deployed(number, "number " + number);
                fixture.stop(engine, deployment, last.revisionId());
                probe.awaitMore();
            }

            // Then
            assertThat(probe.end()).isEmpty();
        }
        assertThat(fixture.get(port, "/version").body()).isEqualTo("number 4");
        assertThat(fixture.processes(first)).isEmpty();
        assertThat(fixture.folder(first)).doesNotExist();
        assertThat(fixture.processes(last)).hasSize(1);
    }

    @Test
    void requestInProgressFinishesAtItsRevision() throws Exception {
        // Given
        RevisionSpec first = deployed(1, "first");
        CompletableFuture<HttpResponse<String>> held = fixture.client.sendAsync(request("/hold").build(),
                BodyHandlers.ofString());
        ReverseProxyProcess proxy = new ReverseProxyProcess(fixture.settings.directory().toAbsolutePath(), fixture.settings,
                new ProcessLauncher(fixture.settings, System.getenv()));
        int old = new ApplicationProcess(fixture.folder(first), fixture.settings,
                new ProcessLauncher(fixture.settings, Map.of()),
                new PortAllocator(new EnginePaths(fixture.settings.directory())), fixture.client)
                .port().orElseThrow();
        await().atMost(LocalEngineFixture.TIMEOUT).until(() -> proxy.inFlightRequests(old) == 1);

        // When
        RevisionSpec second = deployed(2, "second");
        Thread stopping = Thread.ofPlatform().start(() -> fixture.stop(engine, deployment, second.revisionId()));
        String meanwhile = fixture.get(port, "/version").body();
        String direct = fixture.get(old, "/version").body();
        fixture.get(old, "/release");

        // Then
        assertThat(meanwhile).isEqualTo("second");
        assertThat(direct).isEqualTo("first");
        assertThat(held.join().body()).isEqualTo("first");
        stopping.join();
        assertThat(fixture.processes(first)).isEmpty();
    }

    @Test
    void applicationSeesOnlyItsOwnEnvironment() throws Exception {
        // Given
        deployed(1, "well");

        // When
        List<String> environment = fixture.get(port, "/environment").body().lines().toList();

        // Then
        assertThat(environment).contains("SECRET=hush-hush", "WAYBILL_RUNTIME_ACCESS_WORKSPACE_ID=" + LocalEngineFixture.TENANT,
                "WAYBILL_RUNTIME_ACCESS_CONTROL_PLANE_URL=http://127.0.0.1:1");
        assertThat(environment).extracting(line -> line.split("=")[0])
                .isSubsetOf("SECRET", "HOME", "PATH", "TMPDIR", ProcessFinder.MARKER, "QUARKUS_HTTP_HOST", "QUARKUS_HTTP_PORT",
                        "QUARKUS_MANAGEMENT_PORT",
                        "WAYBILL_RUNTIME_DIRECTORY", "WAYBILL_RUNTIME_CONFIGURATION", "WAYBILL_RUNTIME_ACCESS_WORKSPACE_ID",
                        "WAYBILL_RUNTIME_ACCESS_CONTROL_PLANE_URL", "WAYBILL_RUNTIME_TRACING_PROJECT",
                        "WAYBILL_RUNTIME_WORKER_FAILURE_FILE", "PWD", "SHLVL", "_");
    }

    @Test
    @Tag("full")
    void memoryLimitAppliesAndOtherLimitsAreReported() throws Exception {
        // Given
        RevisionSpec plan = LocalEngineFixture.withResources(fixture.plan(deployment, 1, port, fixture.repository.commit()),
                new ResourceSpec(2, 5, 1.5, null, null, 900));
        assertThat(fixture.prepare(engine, plan)).isInstanceOf(Done.class);

        // When
        Outcome outcome = fixture.start(engine, plan);

        // Then
        assertThat(outcome).isInstanceOf(Done.class);
        if (!new ProcessLauncher(fixture.settings, System.getenv()).canLimit()) {
            assertThat(fixture.log)
                    .contains("DEPLOY SYSTEM Applications run as single processes on one machine, so these have no"
                            + " effect: min_scale, max_scale, cpu, memory_limit_mb.");
            return;
        }
        String limits = fixture.get(port, "/limits").body();
        assertThat(limits).containsPattern("Max data size +" + (900L << 20) + " ");
        assertThat(limits).containsPattern("Max core file size +0 ");
        assertThat(fixture.log).contains("DEPLOY SYSTEM memory_limit_mb limits each process of the application, not"
                + " their sum. Applications run as single processes on one machine, so these have no effect:"
                + " min_scale, max_scale, cpu.");
    }

    @Test
    void forwardsBodiesUnchanged() throws Exception {
        // Given
        deployed(1, "well");
        byte[] body = new byte[3_000_000];
        new java.util.Random(7).nextBytes(body);

        // When
        HttpResponse<byte[]> sized = fixture.client.send(request("/echo").POST(BodyPublishers.ofByteArray(body)).build(),
                BodyHandlers.ofByteArray());
        HttpResponse<byte[]> chunked = fixture.client.send(request("/echo")
                .POST(BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(body))).build(),
                BodyHandlers.ofByteArray());

        // Then
        assertThat(sized.body()).isEqualTo(body);
        assertThat(chunked.body()).isEqualTo(body);
    }

    @Test
    void crashAtStartLeavesTheActiveRevisionServing() throws Exception {
        // Given
        deployed(1, "first");

        // When
        RevisionSpec second = prepared(2, "crash-at-start");
        Outcome outcome = fixture.start(engine, second);

        // Then
        assertThat(((Failed) outcome).reason()).isEqualTo("The application ended before it was healthy. Fix it and deploy"
                + " again; the log has its last output.");
        assertThat(fixture.log).contains("DEPLOY STDOUT cannot go on");
        assertThat(fixture.get(port, "/version").body()).isEqualTo("first");
    }

    @Test
    @Tag("full")
    void unhealthyRevisionLeavesTheActiveOneServing() throws Exception {
        // Given
        deployed(1, "first");
        fixture.settings.healthTimeout = Duration.ofSeconds(2);

        // When
        RevisionSpec second = prepared(2, "never-healthy");
        Outcome outcome = fixture.start(engine, second);

        // Then
        assertThat(((Failed) outcome).reason()).contains("was not healthy within 2 s");
        assertThat(fixture.get(port, "/version").body()).isEqualTo("first");
        assertThat(fixture.processes(second)).isEmpty();
    }

    @Test
    void startDoesNotWaitForHealth() throws Exception {
        // Given
        RevisionSpec stuck = prepared(1, "never-healthy");

        // When
        Outcome pending = fixture.startOnce(engine, stuck);
        Outcome later = fixture.startOnce(engine, stuck);

        // Then
        assertThat(pending).isInstanceOf(InProgress.class).isEqualTo(later);
        assertThat(fixture.processes(stuck)).hasSize(1);
    }

    @Test
    @Tag("full")
    void supersededStartIsStopped() throws Exception {
        // Given
        RevisionSpec stuck = prepared(1, "never-healthy");
        fixture.startOnce(engine, stuck);

        // When
        deployed(2, "second");

        // Then
        assertThat(fixture.processes(stuck)).isEmpty();
        assertThat(fixture.get(port, "/version").body()).isEqualTo("second");
    }

    @Test
    @Tag("full")
    void limitsConcurrentStartsPerWorkspace() throws Exception {
        // Given
        fixture.settings.maxStarting = 1;
        engine = fixture.engine();
        RevisionSpec stuck = prepared(1, "never-healthy");
        fixture.startOnce(engine, stuck);
        RevisionSpec other = fixture.plan(UUID.randomUUID(), 1, FreePort.find(),
                fixture.repository.file("behaviour", "well").commit());
        assertThat(fixture.prepare(engine, other)).isInstanceOf(Done.class);

        // When
        Outcome limited = fixture.startOnce(engine, other);
        fixture.stop(engine, deployment);

        // Then
        assertThat(limited).isInstanceOfSatisfying(InProgress.class,
                waits -> assertThat(waits.message()).contains("limit of starting applications"));
        assertThat(fixture.processes(other)).isEmpty();
        assertThat(fixture.start(engine, other)).isInstanceOf(Done.class);
    }

    @Test
    void reportedFailureFailsTheStartImmediately() throws Exception {
        // Given
        RevisionSpec plan = prepared(1, "reports-failure");

        // When
        Outcome outcome = fixture.start(engine, plan);

        // Then
        assertThat(outcome).isEqualTo(Failed.permanent("Graph \"agent\" is not there. Export it."));
        assertThat(fixture.log).contains("DEPLOY STDOUT output of the worker");
        assertThat(fixture.processes(plan)).isEmpty();
    }

    @Test
    @Tag("full")
    void commandsRunWithLowerPriorityThanApplications() throws Exception {
        // Given
        long own = niceness(ProcessHandle.current().pid());
        RevisionSpec plan = fixture.plan(deployment, 1, port, fixture.repository.commit(), "langgraph.json", "nice > niceness",
                Map.of());

        // When
        assertThat(fixture.prepare(engine, plan)).isInstanceOf(Done.class);
        assertThat(fixture.start(engine, plan)).isInstanceOf(Done.class);

        // Then
        assertThat(fixture.build(plan).resolve("repository/niceness")).content()
                .isEqualToIgnoringNewLines(Long.toString(Math.min(19, own + 5)));
        assertThat(niceness(Long.parseLong(fixture.get(port, "/pid").body()))).isEqualTo(own);
    }

    private static long niceness(long pid) throws IOException {
        String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        return Long.parseLong(line.substring(line.lastIndexOf(')') + 2).split(" ")[16]);
    }

    @Test
    @Tag("full")
    void rejectsStartingAnOlderRevision() throws Exception {
        // Given
        RevisionSpec first = deployed(1, "first");
        deployed(2, "second");

        // When
        Outcome late = fixture.start(engine, first);

        // Then
        assertThat(late).isEqualTo(Failed.permanent("A newer revision is already active."));
        assertThat(fixture.get(port, "/version").body()).isEqualTo("second");
    }

    @Test
    @Tag("full")
    void stopRoutesBackFromAnUnrecordedRevision() throws Exception {
        // Given: requests are routed to the second revision, but it was interrupted before that was recorded
        RevisionSpec first = deployed(1, "first");
        deployed(2, "second");

        // When
        fixture.stop(engine, deployment, first.revisionId());

        // Then
        assertThat(fixture.get(port, "/version").body()).isEqualTo("first");
        assertThat(fixture.observe(engine, first)).isInstanceOf(Observation.Serving.class);
    }

    @Test
    @Tag("full")
    void staleStopRemovesNothing() throws Exception {
        // Given: a paused caller knows only the first revision
        RevisionSpec first = deployed(1, "first");
        RevisionSpec second = deployed(2, "second");

        // When
        fixture.stopAsOf(1, engine, deployment, first.revisionId());
        fixture.stopAsOf(1, engine, deployment);

        // Then
        assertThat(fixture.get(port, "/version").body()).isEqualTo("second");
        assertThat(fixture.observe(engine, second)).isInstanceOf(Observation.Serving.class);
    }

    @Test
    void missingRuntimeNamesTheConfigurationKey() throws IOException {
        // Given
        LocalEngine none = fixture.engineWithoutRuntime();
        RevisionSpec plan = fixture.plan(deployment, 1, port, fixture.repository.commit());

        // When
        Outcome prepared = fixture.prepare(none, plan);
        Outcome started = fixture.start(none, plan);
        Observation observed = fixture.observe(none, plan);

        // Then: stop succeeds without resources
        assertThat(((Failed) prepared).reason()).contains("waybill.engine.local.runtime");
        assertThat(started).isEqualTo(prepared);
        assertThat(((Observation.Failing) observed).reason()).contains("waybill.engine.local.runtime");
        fixture.stop(none, deployment);
    }

    @Test
    void deletionRemovesProcessesAndFiles() throws Exception {
        // Given: an application that ignores SIGTERM
        fixture.settings.terminationTimeout = Duration.ofMillis(300);
        RevisionSpec plan = deployed(1, "ignore-term");

        // When
        fixture.stop(engine, deployment);
        fixture.stop(engine, deployment);

        // Then
        assertThat(fixture.processes(plan)).isEmpty();
        assertThat(fixture.settings.directory().resolve(deployment.toString())).doesNotExist();
        assertThat(refused()).isTrue();
    }

    private boolean refused() throws IOException, InterruptedException {
        try {
            fixture.get(port, "/version");
            return false;
        } catch (ConnectException _) {
            return true;
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(LocalEngineFixture.TIMEOUT);
    }

    private RevisionSpec prepared(int number, String behaviour) throws IOException {
        RevisionSpec plan = fixture.plan(deployment, number, port, fixture.repository.file("behaviour", behaviour).commit());
        assertThat(fixture.prepare(engine, plan)).isInstanceOf(Done.class);
        return plan;
    }

    private RevisionSpec deployed(int number, String behaviour) throws IOException {
        RevisionSpec plan = prepared(number, behaviour);
        assertThat(fixture.start(engine, plan)).isInstanceOf(Done.class);
        return plan;
    }
}
