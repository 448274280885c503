package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.stream.IntStream;

import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.OpenApi.Operation;
import dev.waybill.common.testing.RawConnection.Response;
import io.restassured.RestAssured;

/**
 * Asserts that a service and a proxy cannot disagree about where a request ends: a request that is not valid HTTP/1.1 gets one
 * problem response, and later bytes of the connection are not read.
 */
public abstract class HttpFramingChecks {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int WHOLE = Integer.MAX_VALUE;
    private static final int PIECES = 7;

    private RawConnection connection;
    private String host;
    private String hidden;

    /** Returns the module, for example {@code export-service}. */
    protected abstract String module();

    /** Returns the path of an operation that accepts a JSON document. */
    protected abstract String path();

    /** Returns an API key for this operation. */
    protected abstract String key();

    @BeforeEach
    void connect() {
        URI server = URI.create("http://127.0.0.1:" + RestAssured.port);
        connection = new RawConnection(server);
        host = server.getAuthority();
        hidden = "GET /q/health/live HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
    }

    @Test
    void invalidHeadReturns400AndClosesTheConnection() {
        Map<String, String> heads = InvalidRequests.heads(host, hidden);
        String valid = "GET /q/health/live HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
        assertThat(heads).hasSizeGreaterThan(30);
        SoftAssertions softly = new SoftAssertions();
        heads.forEach((name, request) -> {
            assertProblem(softly, name, connection.send(request, WHOLE), 400);
            assertProblem(softly, name + ", in pieces", connection.send(request, PIECES), 400);
            List<Response> both = connection.send(valid + request, WHOLE);
            softly.assertThat(both).as(name + ", after a valid request").extracting(Response::status).containsExactly(200,
                    400);
        });
        softly.assertAll();
    }

    @Test
    void invalidChunkReturns400AndClosesTheConnection() {
        SoftAssertions softly = new SoftAssertions();
        InvalidRequests.bodies().forEach((name, body) -> {
            assertProblem(softly, name, connection.send(post(path()) + body + hidden, WHOLE), 400);
            assertProblem(softly, name + ", in pieces", connection.send(post(path()) + body + hidden, PIECES), 400);
            softly.assertThat(connection.send(post("/nothing/here") + body + hidden, WHOLE))
                    .as(name + ", if no operation reads the body").hasSize(1);
        });
        softly.assertAll();
    }

    @Test
    void eachValidRequestOnOneConnectionGetsAResponse() {
        SoftAssertions softly = new SoftAssertions();
        for (String body : InvalidRequests.validBodies()) {
            List<Response> responses = connection.send(post(path()) + body + hidden, WHOLE);
            softly.assertThat(responses).as(body).extracting(Response::status).hasSize(2).endsWith(200).doesNotContain(400,
                    500);
        }
        String three = "GET /q/health/live HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
        softly.assertThat(connection.send("\r\n" + three.repeat(3) + hidden, PIECES)).extracting(Response::status)
                .containsExactlyElementsOf(IntStream.range(0, 4).mapToObj(ignored -> 200).toList());
        softly.assertAll();
    }

    @Test
    void overlongHeadReturns414Or431() {
        SoftAssertions softly = new SoftAssertions();
        String line = "Host: " + host + "\r\n";
        Map.of("address", "GET /" + "x".repeat(5_000) + " HTTP/1.1\r\n" + line + "\r\n",
                "query", "GET /?q=" + "x".repeat(5_000) + " HTTP/1.1\r\n" + line + "\r\n")
                .forEach((name, request) -> assertProblem(softly, name, connection.send(request + hidden, WHOLE), 414));
        Map.of("one header", "GET / HTTP/1.1\r\n" + line + "X-A: " + "x".repeat(17 << 10) + "\r\n\r\n",
                "many headers", "GET / HTTP/1.1\r\n" + line + "X-A: b\r\n".repeat(3_000) + "\r\n",
                "key", "GET / HTTP/1.1\r\n" + line + "X-Api-Key: " + "k".repeat(17 << 10) + "\r\n\r\n")
                .forEach((name, request) -> assertProblem(softly, name, connection.send(request + hidden, WHOLE), 431));
        softly.assertAll();
    }

    @Test
    void invalidUriReturns400() {
        SoftAssertions softly = new SoftAssertions();
        Set<String> paths = new TreeSet<>();
        for (Operation operation : OpenApi.of(module()).operations()) {
            for (String broken : List.of("%", "%2", "%zz", "%-1", "a%", "%%20", "<", "|", "\\", "\"")) {
                String path = operation.path().replaceAll("\\{[^}]+}", Matcher.quoteReplacement(broken));
                paths.addAll(List.of(path + "/" + broken, path + broken, path + "?" + broken, path + "?a=" + broken));
                if (path.contains(broken)) {
                    paths.add(path);
                }
            }
        }
        paths.forEach(path -> assertProblem(softly, path,
                connection.send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n" + hidden, WHOLE), 400));
        softly.assertAll();
    }

    @Test
    void http2WithoutTlsIsDisabled() {
        String settings = "\0\0\0\4\0\0\0\0\0";
        List<Response> known = connection.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings, WHOLE);
        assertThat(known).extracting(Response::status).containsExactly(400);
        List<Response> upgraded = connection.send("GET /q/health/live HTTP/1.1\r\nHost: " + host + "\r\nConnection: Upgrade, "
                + "HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n" + hidden, WHOLE);
        assertThat(upgraded).extracting(Response::status).containsExactly(200, 200);
    }

    private String post(String path) {
        return "POST " + path + " HTTP/1.1\r\nHost: " + host + "\r\nX-Api-Key: " + key()
                + "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    }

    private static void assertProblem(SoftAssertions softly, String name, List<Response> responses, int status) {
        softly.assertThat(responses).as(name).extracting(Response::status).containsExactly(status);
        if (responses.size() == 1) {
            Response response = responses.getFirst();
            softly.assertThat(response.header("Content-Type")).as(name).isEqualTo("application/problem+json");
            softly.assertThat(response.header("Connection")).as(name).isEqualTo("close");
            JsonNode problem = json(response.body());
            softly.assertThat(problem.path("detail").asText()).as(name).isNotBlank();
            softly.assertThat(problem.path("status").asInt()).as(name).isEqualTo(status);
            softly.assertThat(problem.path("request_id").asText()).as(name).isNotBlank()
                    .isEqualTo(response.header("X-Request-Id"));
        }
    }

    private static JsonNode json(String body) {
        try {
            return MAPPER.readTree(body);
        } catch (IOException e) {
            throw new UncheckedIOException(body, e);
        }
    }
}
