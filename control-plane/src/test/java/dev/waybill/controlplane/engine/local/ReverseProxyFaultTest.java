package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome.Done;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.local.storage.FreePort;

/** Fault F27 of the reverse proxy: it or the control plane is killed. */
@Tag("full")
class ReverseProxyFaultTest extends LocalEngineScenario {

    @Test
    void killedProxyIsRestartedWithItsRoutes() throws Exception {
        // Given
        List<Integer> ports = List.of(port, FreePort.find());
        List<RevisionSpec> plans = List.of(deployed(ports.getFirst()), deployed(ports.getLast()));
        List<String> applications = pids(ports);
        ProcessHandle proxy = fixture.proxies().getFirst();

        // When
        kill(proxy);

        // Then: without another call
        await().atMost(LocalEngineFixture.TIMEOUT).until(() -> ports.stream().allMatch(this::responds));
        assertThat(pids(ports)).isEqualTo(applications);
        assertThat(fixture.proxies()).singleElement().isNotEqualTo(proxy);
        assertThat(plans).allSatisfy(plan -> {
            assertThat(fixture.observe(engine, plan)).isInstanceOf(Observation.Serving.class);
            assertThat(fixture.processes(plan)).hasSize(1);
        });
    }

    @Test
    void proxyIsRestartedAfterEachKill() throws Exception {
        // Given
        deployed(port);

        for (int kill = 0; kill < 3; kill++) {
            // When
            kill(fixture.proxies().getFirst());

            // Then
            await().atMost(LocalEngineFixture.TIMEOUT).until(() -> responds(port));
        }
    }

    @Test
    void proxyServesWhileTheControlPlaneIsKilled() throws Exception {
        // Given: a request in progress, and clients that send requests continuously
        String commit = fixture.repository.commit();
        RevisionSpec plan = fixture.plan(UUID.randomUUID(), 1, port, commit);
        try (ControlPlaneProcess controlPlane = ControlPlaneProcess.deploy(fixture, plan, commit);
                RequestProbe probe = RequestProbe.start(fixture.client, port)) {
            List<ProcessHandle> proxies = fixture.proxies();
            CompletableFuture<HttpResponse<String>> held = fixture.client.sendAsync(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/hold")).build(), BodyHandlers.ofString());
            probe.awaitMore();

            // When
            controlPlane.kill();
            probe.awaitMore();
            Observation observed = fixture.observe(engine, plan);
            assertThat(fixture.start(engine, plan)).isInstanceOf(Done.class);
            probe.awaitMore();
            fixture.get(port, "/release");

            // Then
            assertThat(held.join().body()).isEqualTo("well");
            assertThat(probe.end()).isEmpty();
            assertThat(observed).isInstanceOf(Observation.Serving.class);
            assertThat(fixture.proxies()).hasSize(1).isEqualTo(proxies);
            assertThat(fixture.processes(plan)).hasSize(1);
        }
    }

    @Test
    void nextControlPlaneRestartsAProxyThatItDidNotStart() throws Exception {
        // Given: the control plane that started the proxy was killed
        String commit = fixture.repository.commit();
        RevisionSpec plan = fixture.plan(UUID.randomUUID(), 1, port, commit);
        try (ControlPlaneProcess controlPlane = ControlPlaneProcess.deploy(fixture, plan, commit)) {
            controlPlane.kill();
        }
        fixture.observe(engine, plan);

        // When
        kill(fixture.proxies().getFirst());

        // Then
        await().atMost(LocalEngineFixture.TIMEOUT).until(() -> responds(port));
        assertThat(fixture.processes(plan)).hasSize(1);
    }

    @Test
    void nextControlPlaneStartsAMissingProxy() throws Exception {
        // Given: the proxy ended while no control plane was running
        RevisionSpec plan = deployed(port);
        String application = fixture.get(port, "/pid").body();
        engine.detach();
        kill(fixture.proxies().getFirst());

        // When
        Observation observed = fixture.observe(fixture.engine(), plan);

        // Then
        assertThat(observed).isInstanceOf(Observation.Serving.class);
        assertThat(fixture.get(port, "/pid").body()).isEqualTo(application);
    }

    private static void kill(ProcessHandle process) {
        process.destroyForcibly();
        process.onExit().join();
    }

    private List<String> pids(List<Integer> ports) throws IOException, InterruptedException {
        List<String> pids = new ArrayList<>();
        for (int listening : ports) {
            pids.add(fixture.get(listening, "/pid").body());
        }
        return pids;
    }

    private boolean responds(int listening) {
        try {
            return fixture.get(listening, "/version").statusCode() == 200;
        } catch (IOException _) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private RevisionSpec deployed(int listening) throws IOException {
        RevisionSpec plan = fixture.plan(UUID.randomUUID(), 1, listening, fixture.repository.commit());
        assertThat(fixture.prepare(engine, plan)).isInstanceOf(Done.class);
        assertThat(fixture.start(engine, plan)).isInstanceOf(Done.class);
        return plan;
    }
}
