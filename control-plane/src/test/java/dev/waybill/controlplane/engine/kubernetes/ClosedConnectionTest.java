package dev.waybill.controlplane.engine.kubernetes;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

class ClosedConnectionTest {

    private static final String PODS = "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[]}";
    private static final String RESPONSE = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
            + PODS.length() + "\r\nConnection: close\r\n\r\n" + PODS;

    private final AtomicInteger requests = new AtomicInteger();

    @Test
    void podsAreReadAgainIfTheConnectionWasClosed() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                KubernetesClient client = new KubernetesClientBuilder().withConfig(new ConfigBuilder()
                        .withMasterUrl("http://127.0.0.1:" + server.getLocalPort()).build()).build()) {
            Thread.ofVirtual().start(() -> respond(server));

            assertThat(new KubernetesApi(client).pods("applications", Map.of())).isEmpty();
            assertThat(requests).hasValue(2);
        }
    }

    /** Closes the first connection after its request, as a server that has closed it meanwhile. */
    private void respond(ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                BufferedReader head = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
                while (!head.readLine().isEmpty()) {
                    // The request has no body.
                }
                if (requests.incrementAndGet() > 1) {
                    socket.getOutputStream().write(RESPONSE.getBytes(US_ASCII));
                }
            } catch (IOException _) {
                // The test has ended.
            }
        }
    }
}
