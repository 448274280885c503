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
import dev.waybill.common.testing.RawHttp.Answer;

/**
 * That every operation checks who calls before it looks at what is sent (contract.md, order of checks): whatever else is wrong
 * with a request, a caller who may not is told that, and nothing else.
 */
public final class AccessChecks {

    private static final int PATIENCE_MILLIS = 120_000;
    /** More than any service takes. */
    private static final String HUGE = String.valueOf(1L << 40);
    private static final List<Map<String, String>> FAULTS = List.of(
            Map.of("Content-Type", "text/plain"),
            Map.of("Content-Type", "application/json, application/json"),
            Map.of("Accept", "text/html"),
            Map.of("Accept", "garbage"),
            Map.of("Content-Encoding", "br"));

    private final OperationRequests requests;
    private final Set<String> open;

    /** @param open operations that need no key, for example {@code GET /api/v1/info} */
    public AccessChecks(URI server, String description, Map<String, String> values, Set<String> open) {
        this.requests = new OperationRequests(server, description, values);
        this.open = Set.copyOf(open);
    }

    /** Every operation rejects the caller with this status, whatever the request carries. */
    public void assertRejectsEverywhere(String caller, Map<String, String> credentials, int status) {
        SoftAssertions softly = new SoftAssertions();
        closed().forEach(operation -> assertRejected(softly, operation, caller, credentials, status));
        softly.assertAll();
    }

    /** Where the caller is rejected with 403 although all else is right, nothing else is said where it is not. */
    public void assertRejectionComesFirst(String caller, Map<String, String> credentials) {
        SoftAssertions softly = new SoftAssertions();
        List<Operation> rejecting = closed().stream()
                .filter(operation -> requests.good(operation, credentials).status() == 403)
                .toList();
        softly.assertThat(rejecting).as("operations that reject %s", caller).isNotEmpty();
        rejecting.forEach(operation -> assertRejected(softly, operation, caller, credentials, 403));
        softly.assertAll();
    }

    /** A rejected body is read and thrown away: the next request on the connection is served. */
    public void assertConnectionSurvivesRejection(URI server) {
        Operation operation = closed().stream().filter(one -> !one.bodies().isEmpty()).findFirst().orElseThrow();
        String head = " HTTP/1.1\r\nHost: " + server.getAuthority() + "\r\n";
        byte[] body = new byte[1 << 20];
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            OutputStream out = socket.getOutputStream();
            out.write((operation.method() + " " + operation.path().replaceAll("[{}]", "") + head
                    + "Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(body);
            out.write(("GET /nothing" + head + "Connection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answers).startsWith("HTTP/1.1 401 ").contains("HTTP/1.1 404 ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Operation> closed() {
        return requests.operations().stream().filter(operation -> !open.contains(operation.toString())).toList();
    }

    private void assertRejected(SoftAssertions softly, Operation operation, String caller, Map<String, String> credentials,
            int status) {
        assertProblem(softly, operation + " by " + caller, requests.good(operation, credentials), status);
        for (Map<String, String> fault : FAULTS) {
            Map<String, String> headers = new LinkedHashMap<>(credentials);
            headers.putAll(fault);
            assertProblem(softly, operation + " by " + caller + " with " + fault, requests.broken(operation, headers), status);
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

    private static void assertProblem(SoftAssertions softly, String what, Answer answer, int status) {
        softly.assertThat(answer.status()).as("%s: %s", what, answer.body()).isEqualTo(status);
        if (answer.header("Content-Type").startsWith("application/problem+json")) {
            JsonNode problem = OperationRequests.problem(answer);
            softly.assertThat(problem.path("detail").asText()).as(what).isNotBlank();
            softly.assertThat(problem.path("request_id").asText()).as(what).isNotBlank();
        } else {
            softly.assertThat(answer.header("Content-Type")).as(what).isEqualTo("application/x-protobuf");
        }
    }
}
