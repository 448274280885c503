package dev.waybill.console.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Management;
import dev.waybill.console.Browser;
import dev.waybill.console.Upstream;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonObject;

@QuarkusTest
@QuarkusTestResource(Upstream.class)
class ProxyTest {

    @TestHTTPResource
    URI address;

    private Browser browser;

    @BeforeEach
    void signIn() {
        browser = new Browser(address);
        browser.signIn(Upstream.KEY);
    }

    @Test
    void serviceReceivesKeyInsteadOfCookie() {
        HttpResponse<String> response = browser.send(browser.request("/api/v1/runs/echo?a=b%20c")
                .header("X-Tenant-Id", Upstream.WORKSPACE).header("X-Api-Key", "wb_forged").header("Authorization", "Bearer x")
                .header("If-None-Match", "\"1\""));

        JsonObject echo = new JsonObject(response.body());
        JsonObject headers = echo.getJsonObject("headers");
        assertThat(echo.getString("uri")).isEqualTo("/api/v1/runs/echo?a=b%20c");
        assertThat(headers.getString("x-api-key")).isEqualTo(Upstream.KEY);
        assertThat(headers.getString("x-tenant-id")).isEqualTo(Upstream.WORKSPACE);
        assertThat(headers.getString("if-none-match")).isEqualTo("1");
        assertThat(headers.fieldNames()).doesNotContain("cookie", "authorization", "x-waybill-console", "sec-fetch-site");
    }

    @Test
    void serviceReceivesAddressAndProgramOfTheBrowser() {
        HttpResponse<String> response = browser.send(browser.request("/api/v1/runs/echo")
                .header("X-Forwarded-For", "10.0.0.1").header("User-Agent", "Test/1.0"));

        JsonObject headers = new JsonObject(response.body()).getJsonObject("headers");
        assertThat(headers.getString("x-forwarded-for")).isIn("127.0.0.1", "0:0:0:0:0:0:0:1");
        assertThat(headers.getString("user-agent")).isEqualTo("Test/1.0");
    }

    @Test
    void serviceReceivesTheRequestId() {
        HttpResponse<String> response = browser
                .send(browser.request("/api/v1/runs/echo").header("X-Request-Id", "from-a-page"));
        HttpResponse<String> malformed = browser.send(browser.request("/api/v1/runs/echo").header("X-Request-Id", "<script>"));

        assertThat(response.headers().allValues("X-Request-Id")).containsExactly("from-a-page");
        assertThat(new JsonObject(response.body()).getJsonObject("headers").getString("x-request-id")).isEqualTo("from-a-page");
        assertThat(malformed.headers().allValues("X-Request-Id")).singleElement().isNotEqualTo("<script>").isEqualTo(
                new JsonObject(malformed.body()).getJsonObject("headers").getString("x-request-id"));
    }

    @Test
    void metricsAreLabelledByRoute() {
        browser.send(browser.request("/api/v1/runs/echo"));
        browser.send(browser.request("/w/" + Upstream.WORKSPACE + "/projects"));

        // A metric is recorded shortly after its response.
        await().untilAsserted(() -> assertThat(Management.get("/q/metrics")).contains("uri=\"/api/v1/runs/*\"", "uri=\"/w/*\"")
                .doesNotContain(Upstream.WORKSPACE));
    }

    @Test
    void announcedBodyAboveTheLimitIs413() throws IOException {
        try (Socket socket = new Socket("localhost", browser.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST /api/v1/datasets/echo HTTP/1.1\r\nHost: localhost\r\nCookie: " + browser.cookie()
                    + "\r\nX-Waybill-Console: 1\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 200000000\r\n\r\n{")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();

            assertThat(new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine())
                    .startsWith("HTTP/1.1 413");
        }
    }

    @Test
    void malformedWorkspaceIsNotPassedOn() {
        HttpResponse<String> response = browser.send(browser.request("/api/v1/runs/echo").header("X-Tenant-Id", "other"));

        assertThat(new JsonObject(response.body()).getJsonObject("headers").fieldNames()).doesNotContain("x-tenant-id");
    }

    @Test
    void requestWithoutSessionIs401() {
        Browser other = new Browser(address);

        assertThat(other.send(other.request("/api/v1/runs/echo")).statusCode()).isEqualTo(401);
    }

    @Test
    void pathsOutsideTheListAre404() {
        for (String path : new String[] { "/v1/organizations", "/api/v1/runsecho", "/api/v1/otel/v1/traces", "/api/v1/public/x",
                "/v2", "/run/" + Upstream.DEPLOYMENT + "/q/metrics", "/run/x/ok", "/run/127.0.0.1/ok" }) {
            assertThat(browser.send(browser.request(path)).statusCode()).as(path).isEqualTo(404);
        }
    }

    @Test
    void dotSegmentsAreRejected() throws IOException {
        for (String path : new String[] { "/api/v1/runs/../../../v1/organizations", "/api/v1/runs/%2e%2e/%2e%2e/q/metrics",
                "/api/v1/runs/./echo" }) {
            assertThat(statusOfRawRequest(path)).as(path).isIn(400, 404);
        }
    }

    @Test
    void changesFromAnotherSiteAreRejected() {
        assertThat(browser.send(browser.foreign("/api/v1/runs/echo").POST(BodyPublishers.ofString("{}"))).statusCode())
                .isEqualTo(403);
        assertThat(browser.send(browser.foreign("/api/v1/runs/echo").header("X-Waybill-Console", "1")
                .header("Sec-Fetch-Site", "same-site").DELETE()).statusCode()).isEqualTo(403);
        assertThat(browser.send(browser.request("/api/v1/runs/echo").POST(BodyPublishers.ofString("{}"))).statusCode())
                .isEqualTo(200);
    }

    @Test
    void tracesAndEventsAreForwarded() {
        for (String path : new String[] { "/api/v1/traces/echo", "/api/v1/events/echo" }) {
            HttpResponse<String> response = browser.send(browser.request(path).header("Accept-Encoding", "gzip"));

            assertThat(new JsonObject(response.body()).getString("uri")).isEqualTo(path);
            assertThat(new JsonObject(response.body()).getJsonObject("headers").getString("accept-encoding")).isEqualTo("gzip");
        }
    }

    @Test
    void compressedContentIsNotChanged() throws IOException {
        HttpResponse<InputStream> response = browser.send(
                browser.request("/api/v1/traces/compressed").header("Accept-Encoding", "gzip"), BodyHandlers.ofInputStream());

        assertThat(response.headers().allValues("Content-Encoding")).containsExactly("gzip");
        try (InputStream content = new GZIPInputStream(response.body())) {
            assertThat(content).hasContent("{\"compressed\": true}");
        }
    }

    @Test
    void largeBodiesAreStreamed() {
        byte[] chunk = new byte[1 << 20];
        Arrays.fill(chunk, (byte) 'x');

        HttpResponse<String> response = browser.send(browser.request("/api/v1/datasets/echo")
                .POST(BodyPublishers.ofByteArrays(java.util.Collections.nCopies(50, chunk))));

        assertThat(new JsonObject(response.body()).getLong("bytes")).isEqualTo(50L << 20);
    }

    @Test
    void eventsArriveOneByOne() throws IOException {
        // This server sends the head of its response together with the first event.
        Upstream.EVENTS.release();
        HttpResponse<InputStream> response = browser.send(browser.request("/api/v1/runs/events"), BodyHandlers.ofInputStream());
        try (BufferedReader events = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            for (int event = 0; event < 3; event++) {
                assertThat(events.readLine()).isEqualTo("data: " + event);
                assertThat(events.readLine()).isEmpty();
                // The service sends the next event only after this one was received here.
                Upstream.EVENTS.release();
            }
        }
        Upstream.EVENTS.drainPermits();
    }

    @Test
    void serviceCannotSetCookiesOrPolicies() {
        HttpResponse<String> response = browser.send(browser.request("/api/v1/runs/page"));

        assertThat(response.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(response.headers().allValues("Content-Security-Policy")).singleElement().asString().contains("sandbox");
        assertThat(response.headers().firstValue("Content-Disposition")).hasValue("attachment");
        assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    }

    @Test
    void returns503WhenServiceIsNotRunning() {
        HttpResponse<String> response = browser.send(browser.request("/api/v1/bulk-exports"));

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).hasValue("5");
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(new JsonObject(response.body()).getString("service")).isEqualTo("export-service");
    }

    @Test
    void applicationIsReachedByItsDeployment() {
        HttpResponse<String> response = browser.send(browser.request("/run/" + Upstream.DEPLOYMENT + "/runs/stream?x=1")
                .POST(BodyPublishers.ofString("{}")));

        assertThat(new JsonObject(response.body()).getString("uri")).isEqualTo("/app/runs/stream?x=1");
    }

    @Test
    void unknownDeploymentIs404() {
        HttpResponse<String> response = browser.send(browser.request("/run/0193a7c2-0000-7000-8000-0000000000d2/ok"));

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.body()).contains("no such deployment");
    }

    /** HTTP clients normalise paths; a socket does not. */
    private int statusOfRawRequest(String path) throws IOException {
        try (Socket socket = new Socket("localhost", browser.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nCookie: " + browser.cookie()
                    + "\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            out.flush();
            String head = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            return Integer.parseInt(head.split(" ")[1]);
        }
    }
}
