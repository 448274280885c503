package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.assertj.core.api.SoftAssertions;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.testing.OpenApi.Operation;
import dev.waybill.common.testing.RawHttp.Response;

/**
 * Asserts that every operation authenticates and authorizes the caller before it validates the request: a caller without access
 * gets 401 or 403, whatever else is wrong with the request.
 */
public final class AccessChecks {

    private static final int TIMEOUT_MILLIS = 120_000;
    /** Larger than the limit of every service. */
    private static final String HUGE = String.valueOf(1L << 40);
    private static final List<Map<String, String>> INVALID_HEADERS = List.of(
            Map.of("Content-Type", "text/plain"),
            Map.of("Content-Type", "application/json, application/json"),
            Map.of("Accept", "text/html"),
            Map.of("Accept", "garbage"),
            Map.of("Content-Encoding", "br"));

    private final OperationRequests requests;
    private final Set<String> unauthenticated;

    /** @param unauthenticated operations that need no key, for example {@code GET /api/v1/info} */
    public AccessChecks(URI server, String description, Map<String, String> values, Set<String> unauthenticated) {
        this.requests = new OperationRequests(server, description, values);
        this.unauthenticated = Set.copyOf(unauthenticated);
    }

    /** Asserts that every operation rejects the caller with this status, for valid and invalid requests. */
    public void assertRejectsEverywhere(String caller, Map<String, String> credentials, int status) {
        SoftAssertions softly = new SoftAssertions();
        authenticated().forEach(operation -> assertRejected(softly, operation, caller, credentials, status));
        softly.assertAll();
    }

    /** Asserts that an operation that rejects a valid request with 403 also rejects invalid ones with 403. */
    public void assertRejectionComesFirst(String caller, Map<String, String> credentials) {
        SoftAssertions softly = new SoftAssertions();
        List<Operation> rejecting = authenticated().stream()
                .filter(operation -> requests.valid(operation, credentials).status() == 403)
                .toList();
        softly.assertThat(rejecting).as("operations that reject %s", caller).isNotEmpty();
        rejecting.forEach(operation -> assertRejected(softly, operation, caller, credentials, 403));
        softly.assertAll();
    }

    /** Asserts that a rejected body is discarded, so that the next request on the connection is served. */
    public void assertConnectionSurvivesRejection(URI server) {
        Operation operation = authenticated().stream().filter(one -> !one.bodies().isEmpty()).findFirst().orElseThrow();
        String head = " HTTP/1.1\r\nHost: " + server.getAuthority() + "\r\n";
        byte[] body = new byte[1 << 20];
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            OutputStream out = socket.getOutputStream();
            out.write((operation.method() + " " + operation.path().replaceAll("[{}]", "") + head
                    + "Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(body);
            out.write(("GET /nothing" + head + "Connection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            String responses = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(responses).startsWith("HTTP/1.1 401 ").contains("HTTP/1.1 404 ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Operation> authenticated() {
        return requests.operations().stream().filter(operation -> !unauthenticated.contains(operation.toString())).toList();
    }

    private void assertRejected(SoftAssertions softly, Operation operation, String caller, Map<String, String> credentials,
            int status) {
        assertProblem(softly, operation + " by " + caller, requests.valid(operation, credentials), status);
        for (Map<String, String> header : INVALID_HEADERS) {
            Map<String, String> headers = new LinkedHashMap<>(credentials);
            headers.putAll(header);
            assertProblem(softly, operation + " by " + caller + " with " + header, requests.broken(operation, headers), status);
        }
        if (!operation.bodies().isEmpty()) {
            assertProblem(softly, operation + " by " + caller + " with a broken body", requests.broken(operation, credentials),
                    status);
            Map<String, String> huge = new LinkedHashMap<>(credentials);
            huge.put("Content-Length", HUGE);
            assertProblem(softly, operation + " by " + caller + " with a huge body",
                    requests.send(operation, Map.of(), huge, null), status);
        }
    }

    private static void assertProblem(SoftAssertions softly, String description, Response response, int status) {
        softly.assertThat(response.status()).as("%s: %s", description, response.body()).isEqualTo(status);
        if (response.header("Content-Type").startsWith("application/problem+json")) {
            JsonNode problem = OperationRequests.problem(response);
            softly.assertThat(problem.path("detail").asText()).as(description).isNotBlank();
            softly.assertThat(problem.path("request_id").asText()).as(description).isNotBlank();
        } else {
            softly.assertThat(response.header("Content-Type")).as(description).isEqualTo("application/x-protobuf");
        }
    }
}
