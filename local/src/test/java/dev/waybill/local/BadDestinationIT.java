package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;

import dev.waybill.local.client.Json;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.storage.FreePort;

/** Tests the rejection of invalid destinations with the error names of interface.md section 7. */
@Tag("full")
class BadDestinationIT {

    private static HttpServer website;
    private static ServerSocket silent;

    private final Http http = new Http();
    // One per test, because validations per workspace are limited.
    private final Workspace workspace = Workspace.create("bad-destinations");

    @BeforeAll
    static void start() throws IOException {
        website = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        website.createContext("/", exchange -> {
            byte[] page = "<html><body>Welcome</body></html>".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        website.start();
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterAll
    static void stop() throws IOException {
        website.stop(0);
        silent.close();
    }

    @Test
    void rejectsUnknownKeyId() {
        assertRejected(body("AKIAUNKNOWN000000000", "any-secret", workspace.bucketConfig()),
                "Key ID you provided does not exist");
    }

    @Test
    void rejectsWrongSecret() {
        assertRejected(body(keyId(), "not-the-secret", workspace.bucketConfig()), "Access denied");
    }

    @Test
    void rejectsMissingBucket() {
        assertRejected(body(keyId(), secret(), workspace.bucketConfig().put("bucket_name", "missing-bucket")),
                "Bucket is not valid");
    }

    @Test
    void rejectsServerThatIsNoStore() {
        assertInvalidEndpoint("http://127.0.0.1:" + website.getAddress().getPort());
    }

    @Test
    void rejectsClosedPort() {
        assertInvalidEndpoint("http://127.0.0.1:" + FreePort.find());
    }

    @Test
    void rejectsSilentServer() {
        assertInvalidEndpoint("http://127.0.0.1:" + silent.getLocalPort());
    }

    @Test
    void rejectsUnknownHost() {
        assertInvalidEndpoint("http://store.invalid");
    }

    @ParameterizedTest
    @ValueSource(strings = { "http://169.254.169.254", "https://169.254.169.254/latest/meta-data", "http://169.254.169.254.",
            "http://169.254.169.254:80", "http://2852039166", "http://0xa9fea9fe", "http://0xA9.0xFE.0xA9.0xFE",
            "http://0251.0376.0251.0376", "http://169.254.43518", "http://[::ffff:169.254.169.254]",
            "http://[::ffff:a9fe:a9fe]",
            "http://[64:ff9b::a9fe:a9fe]", "http://[2002:a9fe:a9fe::1]", "http://[fe80::1]", "http://[fe80::1%25eth0]",
            "http://[fd00:ec2::254]", "http://169.254.170.2", "http://100.100.100.200", "http://user@169.254.169.254",
            "http://127.0.0.1@169.254.169.254", "http://127.0.0.1#@169.254.169.254", "http://metadata.google.internal",
            "http://\u2460\u2465\u2468.254.169.254", "http://169\u3002254\u3002169\u3002254", "http://0.0.0.0", "http://[::]",
            "http://10.0.0.1", "http://172.16.0.1", "http://192.168.0.1", "http://224.0.0.1", "http://255.255.255.255",
            "file:///etc/passwd", "gopher://127.0.0.1", "http://" })
    void rejectsInternalAddressesInAnySpelling(String endpoint) {
        assertInvalidEndpoint(endpoint);
    }

    private void assertInvalidEndpoint(String endpoint) {
        assertRejected(body(keyId(), secret(), workspace.bucketConfig().put("endpoint_url", endpoint)), "Invalid endpoint");
    }

    private void assertRejected(ObjectNode body, String title) {
        URI destinations = workspace.running().address(ServiceKind.EXPORT).resolve("/api/v1/bulk-exports/destinations");
        Http.Response response = http.send("POST", destinations, workspace.apiKey(), body.toString());
        assertThat(response.status()).as(response.body()).isEqualTo(400);
        assertThat(response.title()).isEqualTo(title);
        assertThat(response.json().path("step").asText()).isNotEmpty();
    }

    private ObjectNode body(String keyId, String secret, ObjectNode config) {
        ObjectNode body = Json.object().put("destination_type", "s3").put("display_name", "Bad");
        body.set("config", config);
        body.putObject("credentials").put("access_key_id", keyId).put("secret_access_key", secret);
        return body;
    }

    private String keyId() {
        return workspace.running().stack.secrets().s3AccessKeyId();
    }

    private String secret() {
        return workspace.running().stack.secrets().s3SecretAccessKey();
    }
}
