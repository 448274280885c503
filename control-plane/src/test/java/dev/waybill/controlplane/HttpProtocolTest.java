package dev.waybill.controlplane;

import static dev.waybill.controlplane.ApiClient.anonymous;
import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.Management;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;

/** HTTP behaviour that is the same for every service (contract.md "Everywhere"). */
@QuarkusTest
class HttpProtocolTest {

    private static final String WORKSPACES = "/v1/workspaces";

    private final Account admin = Accounts.account().organizationWide().create();

    @ParameterizedTest
    @ValueSource(strings = { "/nothing", "/v1", "/v1/nothing", "/v1/workspaces/x/y", "/q/nothing" })
    void unknownPathReturnsProblem(String path) {
        // When
        HttpResult response = as(admin).get(path);

        // Then
        assertThat(response.status()).isEqualTo(404);
        response.assertIsProblem("not_found", path);
    }

    @Test
    void unsupportedMethodReturnsAllowHeader() {
        // When
        HttpResult response = as(admin).send("PUT", WORKSPACES);

        // Then
        assertThat(response.status()).isEqualTo(405);
        response.assertIsProblem("method_not_allowed", WORKSPACES);
        assertThat(response.header("Allow")).isEqualTo("GET, HEAD, OPTIONS, POST");
    }

    @Test
    void allowHeaderListsMethodsOfExactPath() {
        // When
        HttpResult response = as(admin).send("GET", "/v1/api-keys/" + UUID.randomUUID());

        // Then
        assertThat(response.status()).isEqualTo(405);
        assertThat(response.header("Allow")).isEqualTo("DELETE, OPTIONS, PATCH");
    }

    @ParameterizedTest
    @ValueSource(strings = { "GET", "HEAD", "PUT", "PATCH", "DELETE" })
    void webhookPathsSupportPostOnly(String method) {
        // Given: templates of other methods match the first path, too
        Account account = Accounts.account().create();
        for (String path : List.of("/v1/integrations/repohost/webhook",
                "/v1/integrations/repohost/" + UUID.randomUUID() + "/webhook")) {
            // When
            HttpResult response = method.equals("PATCH") ? as(account).patch(path, "{}") : as(account).send(method, path);

            // Then
            assertThat(response.status()).as(path).isEqualTo(405);
            assertThat(response.header("Allow")).as(path).isEqualTo("OPTIONS, POST");
        }
    }

    @Test
    void malformedIdOfASupportedMethodReturns404() {
        // When
        HttpResult response = as(Accounts.account().create()).get("/v1/integrations/repohost/no-id");

        // Then
        assertThat(response.status()).isEqualTo(404);
    }

    @Test
    void optionsListsMethods() {
        // When
        HttpResult list = as(admin).send("OPTIONS", "/v1/api-keys");
        HttpResult element = as(admin).send("OPTIONS", "/v1/api-keys/" + UUID.randomUUID());

        // Then
        assertThat(list.status()).isIn(200, 204);
        assertThat(list.header("Allow")).isEqualTo("GET, HEAD, OPTIONS, POST");
        assertThat(element.header("Allow")).isEqualTo("DELETE, OPTIONS, PATCH");
    }

    @Test
    void headReturnsGetHeadersWithoutBody() {
        // When
        HttpResult response = as(admin).send("HEAD", WORKSPACES);

        // Then
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.header("X-Pagination-Total")).isEqualTo("1");
        assertThat(response.body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = { "{", "{\"name\": }", "", "{\"name\": \"a\"} trailing", "{\"name\": \"a\"}{}", "{\"name\": NaN}",
            "{\"name\": \"a\", \"name\": \"b\"}", "{'name': 'a'}" })
    void bodyThatIsNotOneJsonDocumentIsMalformed(String body) {
        // When
        HttpResult response = as(admin).post(WORKSPACES, body);

        // Then
        assertThat(response.status()).isEqualTo(400);
        response.assertIsProblem("malformed_request", WORKSPACES);
    }

    @Test
    void deepNestingReturns400() {
        // When
        HttpResult response = as(admin).post(WORKSPACES, "{\"name\": " + "[".repeat(300) + "]".repeat(300) + "}");

        // Then
        assertThat(response.status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = { "[]", "null", "\"name\"", "7", "{}", "{\"name\": null}", "{\"name\": 7}", "{\"name\": [\"a\"]}" })
    void jsonOfWrongTypeIsInvalid(String body) {
        // When
        HttpResult response = as(admin).post(WORKSPACES, body);

        // Then
        assertThat(response.status()).isEqualTo(422);
        response.assertIsProblem("invalid", WORKSPACES);
        assertThat(response.list("errors.message", String.class)).isNotEmpty();
    }

    @Test
    void unknownMembersAreIgnored() {
        // When
        HttpResult response = as(admin).post(WORKSPACES, "{\"name\": \"a\", \"colour\": \"red\", \"organization_id\": 3}");

        // Then
        assertThat(response.status()).isEqualTo(201);
    }

    @Test
    void otherContentTypeReturns415() {
        // When
        HttpResult response = as(admin).header("Content-Type", "text/plain; charset=utf-8").send("POST", WORKSPACES);

        // Then
        assertThat(response.status()).isEqualTo(415);
        response.assertIsProblem("unsupported_media_type", WORKSPACES);
    }

    @Test
    void unsupportedAcceptReturns406() {
        // When
        HttpResult response = as(admin).header("Accept", "text/html").get(WORKSPACES);

        // Then
        assertThat(response.status()).isEqualTo(406);
        response.assertIsProblem("not_acceptable", WORKSPACES);
    }

    @Test
    void validRequestIdIsReturned() {
        // When
        HttpResult response = as(admin).header("X-Request-Id", "my-request.7").get("/v1/nothing");

        // Then
        assertThat(response.header("X-Request-Id")).isEqualTo("my-request.7");
        assertThat(response.text("request_id")).isEqualTo("my-request.7");
    }

    @ParameterizedTest
    @ValueSource(strings = { "has spaces", "tab\there", "semi;colon" })
    void invalidRequestIdIsReplaced(String given) {
        // When
        HttpResult response = as(admin).header("X-Request-Id", given).get("/v1/whoami");

        // Then
        assertThat(UUID.fromString(response.header("X-Request-Id")).version()).isEqualTo(7);
    }

    @Test
    void tooLargeBodyReturns413() {
        // When
        HttpResult response = as(admin).post(WORKSPACES, "{\"name\": \"" + "x".repeat(3 << 20) + "\"}");

        // Then
        assertThat(response.status()).isEqualTo(413);
        response.assertIsProblem("too_large", WORKSPACES);
    }

    @Test
    void tooLargeChunkedBodyReturns413() throws IOException {
        // When
        String response = sendChunked(3 << 20);

        // Then
        assertThat(response).startsWith("HTTP/1.1 413").contains("application/problem+json").contains("too_large");
    }

    @ParameterizedTest
    @ValueSource(strings = { "/q/health/live", "/q/health/ready", "/q/health/started" })
    void healthChecksRequireNoKey(String path) {
        // When
        HttpResult response = anonymous().get(path);

        // Then
        assertThat(response.status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = { "/q/metrics", "/q/openapi", "/q/swagger-ui/" })
    void managementPathsAreOnManagementPortOnly(String path) {
        assertThat(RestAssured.given().port(Management.port()).get(path).statusCode()).isEqualTo(200);
        anonymous().get(path).assertIsProblem("not_found", path);
    }

    @Test
    void responsesAreNotCacheable() {
        // When
        HttpResult response = as(admin).get("/v1/whoami");

        // Then
        assertThat(response.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(response.header("Cache-Control")).isEqualTo("no-store");
        assertThat(response.header("Strict-Transport-Security")).isNull();
    }

    @Test
    @Tag("full")
    void slowBodyReturns408() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", RestAssured.port)) {
            socket.setSoTimeout(120_000);

            // When
            socket.getOutputStream().write(("POST /v1/integrations/repohost/webhook HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n").getBytes(StandardCharsets.US_ASCII));

            // Then: the service responds and closes the connection
            String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(response).startsWith("HTTP/1.1 408").contains("application/problem+json", "request_timeout");
        }
    }

    private String sendChunked(int size) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", RestAssured.port)) {
            socket.setSoTimeout(120_000);
            OutputStream out = socket.getOutputStream();
            out.write(("POST " + WORKSPACES + " HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: " + admin.key()
                    + "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            byte[] chunk = ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            try {
                for (int sent = 0; sent < size; sent += 0x10000) {
                    out.write(chunk);
                }
                out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                // The service may stop reading after its response.
            }
            return read(socket.getInputStream());
        }
    }

    private static String read(InputStream in) throws IOException {
        byte[] buffer = new byte[8192];
        StringBuilder text = new StringBuilder();
        while (!text.toString().contains("request_id")) {
            int length = in.read(buffer);
            if (length < 0) {
                break;
            }
            text.append(new String(buffer, 0, length, StandardCharsets.UTF_8));
        }
        return text.toString();
    }
}
