package dev.waybill.controlplane.engine.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.engine.Engine.ApplicationChanged;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Image;
import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Watches the real API server of {@code KUBECONFIG} through an outage. Skipped without one. */
@EnabledIfEnvironmentVariable(named = "KUBECONFIG", matches = ".+")
class ApiServerWatchTest {

    private final List<ApplicationChanged> changes = new CopyOnWriteArrayList<>();
    private final ApiServerFixture fixture = new ApiServerFixture(change -> {
    });

    @AfterEach
    void tearDown() {
        fixture.close();
    }

    @Test
    void reportsChangesMissedDuringAnOutage() throws IOException {
        URI server = URI.create(fixture.clientConfig().getMasterUrl());
        try (TcpProxy proxy = new TcpProxy(server);
                KubernetesClient client = fixture.client(by(proxy, server))) {
            // Given: a deployment that is watched
            ClusterWatch watch = new ClusterWatch(client, fixture.config,
                    new AppliedRevisions(Clock.systemUTC()), changes::add);
            watch.begin();
            RevisionSpec plan = fixture.plan(1, new Image("registry.example.com/acme/chat:1"), ApiServerFixture.pods(1, 1));
            KubernetesEngineFixture.await(fixture.engine().prepare(plan, (phase, stream, text) -> {
            }));
            Patience.await().until(() -> changes.stream().anyMatch(change -> isOf(change, fixture.deployment)));

            // When: it changes during the outage
            proxy.cut();
            changes.clear();
            fixture.admin.apps().deployments().inNamespace(fixture.namespace).withName(ObjectNames.revision(plan.revisionId()))
                    .edit(deployment -> {
                        deployment.getMetadata().getAnnotations().put("example.com/changed", "meanwhile");
                        return deployment;
                    });
            assertThat(changes).isEmpty();
            proxy.restore();

            // Then
            Patience.await().until(() -> changes.stream().anyMatch(change -> isOf(change, fixture.deployment)));
            watch.end();
        }
    }

    private static boolean isOf(ApplicationChanged change, UUID deployment) {
        return change.deploymentId().equals(deployment);
    }

    private Config by(TcpProxy proxy, URI server) {
        // The certificate has the server's host name, not the proxy's.
        return new ConfigBuilder(fixture.clientConfig()).withMasterUrl(server.getScheme() + "://127.0.0.1:" + proxy.port())
                .withTrustCerts(true).withDisableHostnameVerification(true).build();
    }

    /** A TCP proxy that can simulate an outage. */
    private static final class TcpProxy implements AutoCloseable {

        private final URI server;
        private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final Set<Socket> open = ConcurrentHashMap.newKeySet();
        private volatile boolean cut;

        TcpProxy(URI server) throws IOException {
            this.server = server;
            Thread.ofVirtual().start(this::accept);
        }

        int port() {
            return listening.getLocalPort();
        }

        void cut() {
            cut = true;
            open.forEach(TcpProxy::close);
        }

        void restore() {
            cut = false;
        }

        private void accept() {
            while (!listening.isClosed()) {
                try {
                    Socket near = listening.accept();
                    open.add(near);
                    if (cut) {
                        close(near);
                        continue;
                    }
                    int port = server.getPort() > 0 ? server.getPort() : 443;
                    Socket far = new Socket(server.getHost(), port);
                    open.add(far);
                    Thread.ofVirtual().start(() -> carry(near, far));
                    Thread.ofVirtual().start(() -> carry(far, near));
                } catch (IOException _) {
                    // The proxy or the server is unavailable.
                }
            }
        }

        private static void carry(Socket from, Socket to) {
            try (from; to; InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
                in.transferTo(out);
            } catch (IOException _) {
                // The connection was cut.
            }
        }

        private static void close(Socket socket) {
            try {
                socket.close();
            } catch (IOException _) {
                // The socket is closed.
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
            open.forEach(TcpProxy::close);
        }
    }
}
