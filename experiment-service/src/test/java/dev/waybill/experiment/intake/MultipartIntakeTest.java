package dev.waybill.experiment.intake;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.notNullValue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

@QuarkusTest
class MultipartIntakeTest {

    private final Account account = Accounts.account().role("member").create();

    enum Coding {
        IDENTITY(body -> body),
        GZIP(Compression::gzip),
        ZSTD(Compression::zstd);

        private final UnaryOperator<byte[]> compress;

        Coding(UnaryOperator<byte[]> compress) {
            this.compress = compress;
        }
    }

    @Test
    void readsBackRunsOfABatch() {
        // Given
        TestRun root = TestRun.root().with("session_name", "multipart");
        TestRun child = TestRun.below(root).with("session_name", "multipart").with("run_type", "llm")
                .with("tags", List.of("a", "with \"quotes\", {braces} and \\"))
                .with("extra", Map.of("metadata", Map.of("user", "ada"), "runtime", Map.of("sdk", "test")));

        // When
        send(TestForm.of(root, child).bytes()).statusCode(202);

        // Then
        as(account).get("/runs/" + child.id()).then()
                .statusCode(200)
                .body("parent_run_id", equalTo(root.id().toString()))
                .body("parent_run_ids", equalTo(List.of(root.id().toString())))
                .body("start_time", equalTo("2026-11-20T08:00:00.123456Z"))
                .body("end_time", equalTo("2026-11-20T08:00:02.500000Z"))
                .body("status", equalTo("success"))
                .body("tags", equalTo(child.get("tags")))
                .body("inputs.question", equalTo("why?"))
                .body("app_path", endsWith("/r/" + child.id() + "?trace_id=" + root.id()
                        + "&start_time=2026-11-20T08:00:00.123456Z"));
        assertThat(Rows.value("SELECT metadata FROM trace.runs WHERE id = ?", child.id())).isEqualTo("{\"user\":\"ada\"}");
        assertThat(as(account).get("/api/v1/sessions?name=multipart").jsonPath().getList("id")).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void acceptsChunkedBodies(Coding coding) {
        // Given
        TestRun run = TestRun.root().with("inputs", Map.of("text", "x".repeat(300_000)));
        byte[] body = coding.compress.apply(TestForm.of(run).bytes());
        String name = coding == Coding.IDENTITY ? null : coding.name().toLowerCase(Locale.ROOT);

        // When
        RawHttpResponse response = RawHttpResponse.postChunkedForm(account, name, () -> new ByteArrayInputStream(body));

        // Then
        assertThat(response.status()).as(response.toString()).isEqualTo(202);
        assertThat(Rows.count("SELECT length(inputs) FROM trace.runs WHERE id = ?", run.id())).isEqualTo(300_011);
    }

    @Test
    void acceptsPartsInAnyOrder() {
        // Given
        TestRun run = TestRun.root();
        byte[] body = new TestForm()
                .part("post." + run.id() + ".outputs", "{\"late\": 1}")
                .part("post." + run.id() + ".error", "\"it broke\"")
                .part("post." + run.id(), run.without("inputs", "outputs").json())
                .part("post." + run.id() + ".inputs", "{}")
                .bytes();

        // When
        send(body).statusCode(202);

        // Then
        as(account).get("/runs/" + run.id()).then()
                .body("status", equalTo("error"))
                .body("error", equalTo("it broke"))
                .body("outputs.late", equalTo(1));
    }

    @Test
    void ignoresAWrongPartLength() {
        // Given
        TestRun run = TestRun.root();
        String body = new String(TestForm.of(run).bytes(), StandardCharsets.UTF_8).replaceAll("length=\\d+", "length=7");

        // When
        send(body.getBytes(StandardCharsets.UTF_8)).statusCode(202);

        // Then
        as(account).get("/runs/" + run.id()).then().body("outputs.answer", equalTo("because"));
    }

    @Test
    void oneInvalidRunStoresNothingAndIsReported() {
        // Given
        TestRun good = TestRun.root();
        TestRun bad = TestRun.root().with("run_type", "poem").without("name").with("inputs", List.of(1));

        // When
        ValidatableResponse response = send(TestForm.of(good, bad).bytes());

        // Then
        response.statusCode(422)
                .body("errors.loc", hasItem(List.of("post." + bad.id(), "run_type")))
                .body("errors.loc", hasItem(List.of("post." + bad.id(), "name")))
                .body("errors.loc", hasItem(List.of("post." + bad.id() + ".inputs", "inputs")));
        assertThat(Rows.count("SELECT count(*) FROM trace.runs WHERE id = ?", good.id())).isZero();
    }

    @Test
    void returns422ForUnknownParts() {
        // Given
        UUID id = UUID.randomUUID();
        byte[] body = new TestForm().part("post.nonsense", "{}").part("post." + id + ".outputs", "{}").part("other", "{}")
                .bytes();

        // When
        ValidatableResponse response = send(body);

        // Then
        response.statusCode(422)
                .body("errors.loc", equalTo(List.of(List.of("post.nonsense"), List.of("other"), List.of("post." + id))));
    }

    @Test
    void storesAttachmentsAndFeedback() {
        // Given
        TestRun run = TestRun.root();
        UUID feedback = UUID.randomUUID();
        byte[] picture = { (byte) 0xff, 0, '\r', '\n', '-', '-', (byte) 0x80 };
        byte[] body = TestForm.of(run)
                .part("attachment." + run.id() + ".picture", "image/png", picture)
                .part("feedback." + feedback, "{\"key\": \"good\", \"score\": 1}")
                .bytes();

        // When
        send(body).statusCode(202);
        send(body).statusCode(202);

        // Then
        assertThat(
                Rows.value("SELECT content_type || encode(content, 'hex') FROM trace.attachments WHERE run_id = ?", run.id()))
                .isEqualTo("image/pngff000d0a2d2d80");
        assertThat(Rows.value("SELECT body FROM trace.received_feedback WHERE id = ?", feedback))
                .isEqualTo("{\"key\": \"good\", \"score\": 1}");
    }

    @Test
    void returns400ForATruncatedBody() {
        // Given
        byte[] complete = TestForm.of(TestRun.root()).bytes();

        // When
        ValidatableResponse response = send(Arrays.copyOf(complete, complete.length - 20));

        // Then
        response.statusCode(400).body("detail", containsString("closing boundary"));
    }

    @Test
    void returns415ForJson() {
        as(account).contentType("application/json").body("{}").post("/runs/multipart").then().statusCode(415);
    }

    @Test
    void returns415ForAnUnknownContentEncoding() {
        as(account).contentType(TestForm.TYPE).header("Content-Encoding", "br").body(new byte[] { 1 }).post("/runs/multipart")
                .then().statusCode(415)
                .body("detail", containsString("zstd"));
    }

    @Test
    void infoNeedsNoKey() {
        RestAssured.get("/info").then().statusCode(200)
                .body("version", equalTo("0.18.0"))
                .body("waybill_version", notNullValue())
                .body("batch_ingest_config.use_multipart_endpoint", equalTo(true))
                .body("batch_ingest_config.size_limit", equalTo(100))
                .body("batch_ingest_config.size_limit_bytes", equalTo(20971520))
                .body("instance_flags.gzip_body_enabled", equalTo(true))
                .body("instance_flags.zstd_compression_enabled", equalTo(true));
    }

    @Test
    void returns401WithoutAKey() {
        RestAssured.given().contentType(TestForm.TYPE).body(new byte[0]).post("/runs/multipart").then().statusCode(401);
    }

    private ValidatableResponse send(byte[] body) {
        return as(account).contentType(TestForm.TYPE).body(body).post("/runs/multipart").then();
    }
}
