package dev.waybill.experiment.intake;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.Compression;
import dev.waybill.experiment.RawHttpResponse;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;

/** Threats to the intake: every invalid body gets a problem response, and the service continues. */
@QuarkusTest
class MaliciousBodiesTest {

    private static final int MIB = 1 << 20;

    private final Account account = Accounts.account().create();

    @ParameterizedTest
    @ValueSource(strings = { "", "{", "{\"post\": []} {}", "{\"post\": [{\"inputs\": {\"a\": NaN}}]}",
            "{\"post\": [{\"inputs\": {\"a\": 1, \"a\": 2}}]}", "{\"post\": [{\"id\": 1, \"id\": 2}]}", "{'post': []}",
            "{\"post\": [{\"inputs\": {\"a\": \"\u0001\"}}]}", "\ufeff{\"post\": []}" })
    void returns400ForMalformedJson(String body) {
        batch(body.getBytes(StandardCharsets.UTF_8)).statusCode(400).contentType("application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(strings = { "[]", "7", "\"post\"", "{\"post\": {}}", "{\"post\": [null, 3]}",
            "{\"post\": [{\"start_time\": 1e400}]}", "{\"post\": [{\"start_time\": \"yesterday\"}]}",
            "{\"post\": [{\"total_cost\": 1e-999999999, \"prompt_tokens\": 1e99}]}", "{\"patch\": [{\"tags\": [1]}]}",
            "{\"post\": [{\"inputs\": \"text\", \"error\": {}, \"events\": {}}]}" })
    void returns422ForWrongTypes(String body) {
        batch(body.getBytes(StandardCharsets.UTF_8)).statusCode(422).contentType("application/problem+json");
    }

    @Test
    void namesTheReasonForADuplicateMember() {
        batch("{\"post\": [], \"post\": []}".getBytes(StandardCharsets.UTF_8)).statusCode(400)
                .body("detail", containsString("two members of the same name"));
    }

    @Test
    void returns400ForUtf16() {
        batch("{\"post\": []}".getBytes(StandardCharsets.UTF_16)).statusCode(400);
    }

    @Test
    void returns400ForInvalidUtf8() {
        // Given
        byte[] body = "{\"post\": [{\"inputs\": {\"a\": \"??\"}}]}".getBytes(StandardCharsets.ISO_8859_1);
        body[new String(body, StandardCharsets.ISO_8859_1).indexOf('?')] = (byte) 0xed;
        body[new String(body, StandardCharsets.ISO_8859_1).indexOf('?')] = (byte) 0xa0;

        // When
        ValidatableResponse response = batch(body);

        // Then
        response.statusCode(400).body("detail", containsString("UTF-8"));
    }

    @Test
    void storesOversizedFeedbackAsRawBody() {
        // Given
        UUID id = UUID.randomUUID();
        String feedback = "{\"run_id\": \"%s\", \"key\": \"k\", \"comment\": \"%s\"}".formatted(id, "x".repeat(2 * MIB));
        TestForm form = TestForm.of(TestRun.root()).part("feedback." + id, feedback);

        // When
        RawHttpResponse response = RawHttpResponse.postForm(account, null, form.bytes());

        // Then
        assertThat(response.status()).isEqualTo(202);
        assertThat(Rows.value("SELECT body FROM trace.received_feedback WHERE id = ?", id)).isEqualTo(feedback);
        as(account).get("/feedback/" + id).then().statusCode(404);
    }

    @Test
    void returns413ForTooManyEmptyRuns() {
        // When
        ValidatableResponse response = batch(
                ("{\"patch\": [" + "{},".repeat(20_000) + "{}]}").getBytes(StandardCharsets.UTF_8));

        // Then
        response.statusCode(413).body("detail", containsString("send fewer runs"));
    }

    @Test
    void returns422ForTooManyTags() {
        // Given
        String tags = "\"a\",".repeat(60_000) + "\"a\"";

        // When
        ValidatableResponse response = batch(("{\"post\": [{\"tags\": [" + tags + "]}, {\"tags\": [" + tags + "]}]}")
                .getBytes(StandardCharsets.UTF_8));

        // Then
        response.statusCode(422)
                .body("errors.find { it.loc == ['post', 1, 'tags'] }.message", containsString("100,000"))
                .body("errors.findAll { it.loc == ['post', 0, 'tags'] }", hasSize(0));
    }

    @Test
    void limitsReportedViolationsAndCountsAll() {
        // When
        ValidatableResponse response = batch(("{\"post\": [" + "{},".repeat(999) + "{}]}").getBytes(StandardCharsets.UTF_8));

        // Then
        response.statusCode(422).body("errors", hasSize(1_000)).body("error_count", equalTo(5_000));
    }

    @Test
    void returns400ForDeepNesting() {
        // Given
        String bomb = "[".repeat(MIB);

        // When
        ValidatableResponse response = batch(("{\"post\": [{\"inputs\": {\"a\": " + bomb).getBytes(StandardCharsets.UTF_8));

        // Then
        response.statusCode(400).body("detail", containsString("nested"));
    }

    @Test
    void acceptsNestingBelowTheLimit() {
        // Given
        TestRun run = TestRun.root().with("inputs", nested(400));

        // When
        ValidatableResponse response = batch(
                TestRun.json(Map.of("post", List.of(run.members()))).getBytes(StandardCharsets.UTF_8));

        // Then
        response.statusCode(202);
    }

    @Test
    void returns413ForAGzipBomb() throws IOException {
        // Given
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        byte[] chunk = Compression.gzip(new byte[8 * MIB]);
        for (int i = 0; i < 40; i++) {
            bomb.write(chunk);
        }

        // When
        RawHttpResponse response = RawHttpResponse.postForm(account, "gzip", bomb.toByteArray());

        // Then
        assertThat(response.status()).isEqualTo(413);
        assertThat(response.detail()).contains("decompresses to more than");
    }

    @Test
    void returns413ForAZstdBomb() {
        assertThat(RawHttpResponse.postForm(account, "zstd", Compression.zstd(new byte[100 * MIB])).status()).isEqualTo(413);
    }

    @ParameterizedTest
    @ValueSource(strings = { "gzip", "zstd" })
    void returns400ForATruncatedStream(String coding) {
        // Given
        byte[] plain = TestForm.of(TestRun.root()).bytes();
        byte[] complete = coding.equals("gzip") ? Compression.gzip(plain) : Compression.zstd(plain);

        // When
        RawHttpResponse response = RawHttpResponse.postForm(account, coding, Arrays.copyOf(complete, complete.length - 9));

        // Then
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.detail()).contains(coding);
    }

    @Test
    void returns400ForAWrongContentEncoding() {
        assertThat(RawHttpResponse.postForm(account, "gzip", "no gzip".getBytes(StandardCharsets.US_ASCII)).status())
                .isEqualTo(400);
    }

    @Test
    void acceptsTheLargestBodyAndRejectsOneMoreByte() {
        // Given
        TestRun run = TestRun.root().without("inputs", "outputs");
        int limit = 20 * MIB;
        int fitting = limit - padded(run, 1_000_000).length + 1_000_000 - 1;

        // When
        byte[] largest = padded(run, fitting);
        RawHttpResponse atLimit = RawHttpResponse.postForm(account, null, largest);
        RawHttpResponse above = RawHttpResponse.postForm(account, null, padded(run, fitting + 1));
        RawHttpResponse aboveChunked = RawHttpResponse.postChunkedForm(account, null,
                () -> new ByteArrayInputStream(padded(run, fitting + 1)));

        // Then
        assertThat(largest).hasSize(limit);
        assertThat(atLimit.status()).as(atLimit.toString()).isEqualTo(202);
        assertThat(above.status()).isEqualTo(413);
        assertThat(above.json().path("limit_bytes").asInt()).isEqualTo(limit);
        assertThat(aboveChunked.status()).isEqualTo(413);
    }

    @Test
    void readsBackALongInputUnchanged() {
        // Given
        String text = "0123456789\u00e4\u20ac\ud83d\ude00".repeat(150_000);
        TestRun run = TestRun.root().with("inputs", Map.of("text", text));

        // When
        RawHttpResponse response = RawHttpResponse.postForm(account, "gzip", Compression.gzip(TestForm.of(run).bytes()));

        // Then
        assertThat(response.status()).isEqualTo(202);
        String read = as(account).get("/runs/" + run.id()).jsonPath().getString("inputs.text");
        assertThat(read.equals(text)).isTrue();
    }

    @Test
    void keepsNulInJsonAndReplacesItElsewhere() {
        // Given
        TestRun run = TestRun.root().with("inputs", Map.of("nul", "a\u0000b")).with("error", "x\u0000y")
                .with("name", "n\u0000").with("tags", List.of("t\u0000"));

        // When
        RawHttpResponse response = RawHttpResponse.postForm(account, "zstd", Compression.zstd(TestForm.of(run).bytes()));

        // Then
        assertThat(response.status()).isEqualTo(202);
        as(account).get("/runs/" + run.id()).then()
                .body("inputs.nul", equalTo("a\u0000b"))
                .body("error", equalTo("x\ufffdy"))
                .body("name", equalTo("n\ufffd"))
                .body("tags[0]", equalTo("t\ufffd"));
        assertThat(Rows.value("SELECT inputs FROM trace.runs WHERE id = ?", run.id())).isEqualTo("{\"nul\":\"a\\u0000b\"}");
    }

    @Test
    void returns429WhileBodiesUseAllMemory() throws IOException {
        // Given
        List<Socket> halfSent = new ArrayList<>();
        byte[] content = new byte[19 * MIB];
        for (int i = 0; i < 4; i++) {
            halfSent.add(halfSent(content));
        }

        try {
            // When
            RawHttpResponse[] rejected = new RawHttpResponse[1];
            await().ignoreExceptions()
                    .until(() -> (rejected[0] = RawHttpResponse.postForm(account, null, content)).status() == 429);

            // Then
            assertThat(rejected[0].header("Retry-After")).isEqualTo("1");
        } finally {
            for (Socket socket : halfSent) {
                socket.close();
            }
        }
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(RawHttpResponse.postForm(account, null, content).status()).isEqualTo(400));
    }

    private Socket halfSent(byte[] content) throws IOException {
        Socket socket = new Socket("localhost", RestAssured.port);
        OutputStream out = socket.getOutputStream();
        out.write(("POST /runs/multipart HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: " + account.key() + "\r\nContent-Type: "
                + TestForm.TYPE + "\r\nContent-Length: " + 20 * MIB + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        out.write(content);
        out.flush();
        return socket;
    }

    private static byte[] padded(TestRun run, int padding) {
        return new TestForm().part("post." + run.id(), run.json())
                .part("attachment." + run.id() + ".padding", "text/plain", new byte[padding])
                .bytes();
    }

    private static Map<String, Object> nested(int depth) {
        Map<String, Object> nested = Map.of();
        for (int i = 0; i < depth; i++) {
            nested = Map.of("a", nested);
        }
        return nested;
    }

    private ValidatableResponse batch(byte[] body) {
        return as(account).contentType("application/json").body(body).post("/runs/batch").then();
    }

}
