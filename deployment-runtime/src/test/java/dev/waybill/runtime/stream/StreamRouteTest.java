package dev.waybill.runtime.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.RuntimeSettings;
import dev.waybill.runtime.RuntimeTest;
import io.restassured.RestAssured;

/** Requests that bypass the framework and requests that do not receive the same responses. */
@RuntimeTest
class StreamRouteTest {

    private static final String AHEAD = "application/json";
    private static final String THROUGH_THE_FRAMEWORK = "application/json; charset=utf-8";
    private static final List<String> EACH_ITS_OWN = List.of("content-location", "location", "x-request-id", "date",
            "content-length");

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void bothPathsReturnSameEventsAndHeaders() throws Exception {
        String body = Bodies.agent("hello there", "\"stream_mode\": [\"updates\", \"custom\"]", "\"stream_resumable\": true");

        HttpResponse<String> ahead = stream(body, AHEAD, RuntimeSettings.KEY);
        HttpResponse<String> through = stream(body, THROUGH_THE_FRAMEWORK, RuntimeSettings.KEY);

        assertThat(ahead.statusCode()).isEqualTo(200);
        assertThat(ahead.body()).startsWith("event: metadata\n").contains("\nevent: end\n");
        assertAlike(ahead, through);
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "{", "[]", "{}", "{\"assistant_id\": \"nobody\"}",
            "{\"assistant_id\": \"agent\", \"stream_mode\": \"loud\", \"after_seconds\": -1, \"input\": {}}",
            "{\"assistant_id\": \"agent\", \"webhook\": \"http://10.0.0.1/\"}", "{\"assistant_id\": [1], \"config\": 7}",
            "{\"assistant_id\": \"agent\", \"after_seconds\": 1e999}",
            "{\"assistant_id\": \"agent\", \"stream_resumable\": 1e999}",
            "{\"assistant_id\": \"agent\", \"assistant_id\": 1}" })
    void soIsWhatIsWrong(String body) throws Exception {
        HttpResponse<String> ahead = stream(body, AHEAD, RuntimeSettings.KEY);
        HttpResponse<String> through = stream(body, THROUGH_THE_FRAMEWORK, RuntimeSettings.KEY);

        assertThat(ahead.statusCode()).isBetween(400, 422);
        assertThat(ahead.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(ahead.headers().firstValue("X-Request-Id")).hasValueSatisfying(
                id -> assertThat(ahead.body()).contains("\"request_id\":\"" + id + "\""));
        assertAlike(ahead, through);
    }

    @Test
    void returns401WithoutValidKey() throws Exception {
        assertThat(stream(Bodies.agent("hello"), AHEAD, "bad").statusCode()).isEqualTo(401);
    }

    @Test
    void returns415ForOtherContentTypes() throws Exception {
        assertThat(stream(Bodies.agent("hello"), "text/plain", RuntimeSettings.KEY).statusCode()).isEqualTo(415);
    }

    @Test
    void allRequestFormsReturnSameStream() throws Exception {
        String body = Bodies.agent("hello there", "\"stream_mode\": [\"updates\", \"custom\"]");
        HttpRequest usual = request("/runs/stream", AHEAD, RuntimeSettings.KEY)
                .POST(HttpRequest.BodyPublishers.ofString(body)).build();
        String events = withoutIds(send(usual));

        List<HttpRequest> others = List.of(
                request("/runs/stream", AHEAD, RuntimeSettings.KEY)
                        .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body.getBytes(UTF_8))))
                        .build(),
                request("/runs/stream", AHEAD, RuntimeSettings.KEY).expectContinue(true)
                        .POST(HttpRequest.BodyPublishers.ofString(body)).build(),
                request("/runs/stream?a=b", AHEAD, RuntimeSettings.KEY)
                        .POST(HttpRequest.BodyPublishers.ofString(body)).build(),
                request("/runs/stream", AHEAD, RuntimeSettings.KEY).header("Accept", "text/event-stream")
                        .POST(HttpRequest.BodyPublishers.ofString(body)).build());

        assertThat(events).startsWith("event: metadata\n").contains("\nevent: end\n");
        for (HttpRequest other : others) {
            assertThat(withoutIds(send(other))).as("%s %s", other, other.headers()).isEqualTo(events);
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws Exception {
        byte[] one = ("POST /runs/stream HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: " + RuntimeSettings.KEY
                + "\r\nContent-Type: application/json\r\nContent-Length: ").getBytes(UTF_8);
        String body = Bodies.agent("hello there");
        try (Socket socket = new Socket("localhost", RestAssured.port)) {
            OutputStream out = new BufferedOutputStream(socket.getOutputStream());
            for (String close : List.of("", "Connection: close\r\n")) {
                out.write(one);
                out.write((body.length() + "\r\n" + close + "\r\n" + body).getBytes(UTF_8));
            }
            out.flush();

            String responses = new String(socket.getInputStream().readAllBytes(), UTF_8);

            assertThat(responses.split("HTTP/1\\.1 200 OK", -1)).hasSize(3)
                    .allSatisfy(response -> assertThat(response.isEmpty() || response.contains("event: end\n")).isTrue());
        }
    }

    private static void assertAlike(HttpResponse<String> ahead, HttpResponse<String> through) {
        assertThat(ahead.statusCode()).isEqualTo(through.statusCode());
        assertThat(headers(ahead)).isEqualTo(headers(through));
        assertThat(ahead.headers().map().keySet()).isEqualTo(through.headers().map().keySet());
        assertThat(withoutIds(ahead)).isEqualTo(withoutIds(through));
    }

    private static Map<String, List<String>> headers(HttpResponse<String> response) {
        Map<String, List<String>> headers = new TreeMap<>(response.headers().map());
        headers.keySet().removeIf(name -> EACH_ITS_OWN.contains(name.toLowerCase(java.util.Locale.ROOT)));
        return headers;
    }

    private static String withoutIds(HttpResponse<String> response) {
        return response.body().replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID").replace(": heartbeat\n", "");
    }

    private HttpResponse<String> stream(String body, String type, String key) throws IOException, InterruptedException {
        return send(request("/runs/stream", type, key).POST(HttpRequest.BodyPublishers.ofString(body)).build());
    }

    private static HttpRequest.Builder request(String path, String type, String key) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + path))
                .header("X-Api-Key", key)
                .header("Content-Type", type);
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
