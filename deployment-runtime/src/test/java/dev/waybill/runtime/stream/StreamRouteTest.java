package dev.waybill.runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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

/** A stream is answered alike whichever way its request takes; its head decides which. */
@RuntimeTest
class StreamRouteTest {

    private static final String AHEAD = "application/json";
    private static final String THROUGH_THE_FRAMEWORK = "application/json; charset=utf-8";
    private static final List<String> EACH_ITS_OWN = List.of("content-location", "location", "x-request-id", "date",
            "content-length");

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void eventsAndHeadersAreTheSame() throws Exception {
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
            "{\"assistant_id\": \"agent\", \"webhook\": \"http://10.0.0.1/\"}", "{\"assistant_id\": [1], \"config\": 7}" })
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
    void nobodyComesAheadWithoutAGoodKey() throws Exception {
        assertThat(stream(Bodies.agent("hello"), AHEAD, "bad").statusCode()).isEqualTo(401);
    }

    @Test
    void aTypeThatIsNoJsonIsToldSo() throws Exception {
        assertThat(stream(Bodies.agent("hello"), "text/plain", RuntimeSettings.KEY).statusCode()).isEqualTo(415);
    }

    private static void assertAlike(HttpResponse<String> ahead, HttpResponse<String> through) {
        assertThat(ahead.statusCode()).isEqualTo(through.statusCode());
        assertThat(headers(ahead)).isEqualTo(headers(through));
        assertThat(ahead.headers().map().keySet()).isEqualTo(through.headers().map().keySet());
        assertThat(withoutIds(ahead)).isEqualTo(withoutIds(through));
    }

    private static Map<String, List<String>> headers(HttpResponse<String> answer) {
        Map<String, List<String>> headers = new TreeMap<>(answer.headers().map());
        headers.keySet().removeIf(name -> EACH_ITS_OWN.contains(name.toLowerCase(java.util.Locale.ROOT)));
        return headers;
    }

    private static String withoutIds(HttpResponse<String> answer) {
        return answer.body().replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID").replace(": heartbeat\n", "");
    }

    private HttpResponse<String> stream(String body, String type, String key) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + "/runs/stream"))
                .header("X-Api-Key", key)
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(), HttpResponse.BodyHandlers.ofString());
    }
}
