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
import dev.waybill.controlplane.engine.ApplicationChanged;
import dev.waybill.controlplane.engine.ApplicationSource.Image;
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.engine.kubernetes.manifest.Names;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Watching a real API server that goes away and comes back, where {@code KUBECONFIG} names one. Skipped elsewhere. */
@EnabledIfEnvironmentVariable(named = "KUBECONFIG", matches = ".+")
class ApiServerWatchTest {

    private final List<ApplicationChanged> changes = new CopyOnWriteArrayList<>();
    private final RealCluster ground = new RealCluster(change -> {
    });

    @AfterEach
    void leaveNothing() {
        ground.close();
    }

    @Test
    void whatHappensWhileTheServerIsAwayIsToldWhenItIsBack() throws IOException {
        URI server = URI.create(ground.calling().getMasterUrl());
        try (Line line = new Line(server);
                KubernetesClient client = ground.client(by(line, server))) {
            // Given: a deployment that is watched
            ClusterWatch watch = new ClusterWatch(client, ground.config,
                    new Applied(Clock.systemUTC(), ground.config), changes::add);
            watch.begin();
            Plan plan = ground.plan(1, new Image("registry.example.com/acme/chat:1"), RealCluster.pods(1, 1));
            ClusterGround.await(ground.engine().prepare(plan, (phase, stream, text) -> {
            }));
            Patience.await().until(() -> changes.stream().anyMatch(change -> isOf(change, ground.deployment)));

            // When: it changes while nobody can see it
            line.cut();
            changes.clear();
            ground.admin.apps().deployments().inNamespace(ground.namespace).withName(Names.revision(plan.revisionId()))
                    .edit(deployment -> {
                        deployment.getMetadata().getAnnotations().put("example.com/changed", "meanwhile");
                        return deployment;
                    });
            assertThat(changes).isEmpty();
            line.mend();

            // Then
            Patience.await().until(() -> changes.stream().anyMatch(change -> isOf(change, ground.deployment)));
            watch.end();
        }
    }

    private static boolean isOf(ApplicationChanged change, UUID deployment) {
        return change.deploymentId().equals(deployment);
    }

    private Config by(Line line, URI server) {
        // The certificate is for the server's name, not for the line's.
        return new ConfigBuilder(ground.calling()).withMasterUrl(server.getScheme() + "://127.0.0.1:" + line.port())
                .withTrustCerts(true).withDisableHostnameVerification(true).build();
    }

    /** A line to a server that can be cut. */
    private static final class Line implements AutoCloseable {

        private final URI server;
        private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final Set<Socket> open = ConcurrentHashMap.newKeySet();
        private volatile boolean cut;

        Line(URI server) throws IOException {
            this.server = server;
            Thread.ofVirtual().start(this::accept);
        }

        int port() {
            return listening.getLocalPort();
        }

        void cut() {
            cut = true;
            open.forEach(Line::close);
        }

        void mend() {
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
                    // The line or the server is away.
                }
            }
        }

        private static void carry(Socket from, Socket to) {
            try (from; to; InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
                in.transferTo(out);
            } catch (IOException _) {
                // It was cut.
            }
        }

        private static void close(Socket socket) {
            try {
                socket.close();
            } catch (IOException _) {
                // It is closed.
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
            open.forEach(Line::close);
        }
    }
}
